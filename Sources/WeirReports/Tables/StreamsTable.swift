import WeirEngine
import WeirPackets

extension Table<StreamRecord> {
    /// One row per media stream.
    static var streams: Self {
        Self(
            name: "streams", meaning: "Media streams: one source in one direction, with its statistics.",
            key: ["capture", "stream"],
            columns: identity + format + delivery + timing + [
                .json("details", "All members of the stream's record that depend on its kind, without the series.") {
                    $0.fields.filter { $0.name != "series" }
                }
            ])
    }

    private static var identity: [Column<StreamRecord>] {
        [
            .capture,
            .integer("stream", "The number of the stream in its capture, from 1.", required: true) { $0.record.id },
            .text("kind", "The kind, such as rtp.", required: true) { $0.record.kind },
            .integer("flow", "The flow.", required: true) { $0.record.flow },
            .integer("session", "The session, if known.") { $0.record.session },
            .text("direction", "clientToServer or serverToClient.", required: true) {
                JSONRecords.name($0.record.direction)
            },
            .text("sourceAddress", "The address of the sender.", required: true) {
                $0.record.source.address.description
            },
            .integer("sourcePort", "Its port.", required: true) { Int($0.record.source.port) },
            .text("destinationAddress", "The address of the receiver.", required: true) {
                $0.record.destination.address.description
            },
            .integer("destinationPort", "Its port.", required: true) { Int($0.record.destination.port) },
            .time("startTime", "The time of the first packet.", required: true) { $0.record.startTime },
            .time("endTime", "The time of the last packet.", required: true) { $0.record.endTime },
        ]
    }

    private static var format: [Column<StreamRecord>] {
        [
            .text("mediaType", "audio, video or data.") { $0.record.mediaType },
            .text("encoding", "The encoding name, as in a session description.") { $0.record.encoding },
            .text("ssrc", "The synchronization source.") { $0.text("ssrc") },
            .integer("payloadType", "The payload type.") { $0.integer("payloadType") },
            .text("transport", "udp, or interleaved in a connection.") { $0.text("transport") },
            .text("name", "The name of the message stream; secrets are masked.") { $0.text("name") },
            .text("profile", "The codec profile.") { $0.text("profile") },
            .integer("width", "The width of pictures.", unit: "pixels") { $0.integer("width") },
            .integer("height", "The height of pictures.", unit: "pixels") { $0.integer("height") },
            .flag("encrypted", "Whether the payload is encrypted.") { $0.flag("encrypted") },
            .flag("relayed", "Whether the stream is inside a relayed flow.") { $0.flag("relayed") },
        ]
    }

    private static var delivery: [Column<StreamRecord>] {
        [
            .integer("packets", "Packets received.") { $0.integer("packets") },
            .integer("messages", "Messages received.") { $0.integer("messages") },
            .integer("payloadBytes", "Bytes of payload.", unit: "bytes") { $0.integer("payloadBytes") },
            .integer("expected", "Packets sent, according to the sequence numbers.") { $0.integer("expected") },
            .integer("lost", "Packets that never arrived.") { $0.integer("lost") },
            .integer("recovered", "Lost packets that a repair mechanism recovered.") { $0.integer("recovered") },
            .integer("unrecovered", "Lost packets that it did not recover; without one, all of them.") {
                $0.integer("unrecovered") ?? $0.integer("lost")
            },
            .integer("uncaptured", "Packets that the capture lost.") { $0.integer("uncaptured") },
            .integer("duplicates", "Packets duplicated by the network.") { $0.integer("duplicates") },
            .integer("reordered", "Packets that arrived after later ones.") { $0.integer("reordered") },
            .integer("gaps", "Interruptions of the messages.") { $0.integer("gaps") },
            .integer("reportedLost", "Packets lost according to the receiver.") { $0.integer(inside: "reportedLost") },
        ]
    }

    private static var timing: [Column<StreamRecord>] {
        [
            .number("jitterMeanMs", "The mean interarrival jitter (RFC 3550 §6.4.1).", unit: "ms") {
                $0.number("jitterMs", "mean")
            },
            .number("jitterMaxMs", "Its maximum.", unit: "ms") { $0.number("jitterMs", "max") },
            .number("maxDeltaMs", "The longest interval between packets.", unit: "ms") { $0.number("maxDeltaMs") },
            .number("roundTripMeanMs", "The mean round trip, from receiver reports.", unit: "ms") {
                $0.number(inside: "roundTripMs", "mean")
            },
            .number("playoutNeededMs", "The buffer that would have played every packet.", unit: "ms") {
                $0.number("playout", "neededMs")
            },
            .number("clockDriftPpm", "The drift of the sender's clock.", unit: "ppm") {
                $0.number("clock", "driftPpm")
            },
            .integer("frames", "Frames of video, or units of audio.") { $0.integer("frames") },
            .integer("keyframes", "Frames that decode on their own.") { $0.integer("keyframes") },
            .number("frameRate", "Frames per second.", unit: "1/s") { $0.number("frameRate") },
            .number("bitrate", "The bit rate of the payload.", unit: "bit/s") { $0.number("bitrate") },
            .number("keyframeIntervalSeconds", "The mean interval of key frames.", unit: "s") {
                $0.number("keyframeIntervalSeconds")
            },
            .number("maxKeyframeIntervalSeconds", "Its maximum.", unit: "s") {
                $0.number("maxKeyframeIntervalSeconds")
            },
            .integer("freezes", "Interruptions of the video.") { $0.integer("pictures", "freezes") },
            .number("freezeMs", "Their total duration.", unit: "ms") { $0.number("pictures", "freezeMs") },
        ]
    }
}
