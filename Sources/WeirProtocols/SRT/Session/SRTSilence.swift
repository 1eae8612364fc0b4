import WeirEngine
import WeirPackets

/// Detects a side from which nothing arrives any more while the other goes on.
struct SRTSilence {
    /// The latest packet of each side.
    private var latest: (client: EventContext?, server: EventContext?)
    /// Seconds without a packet after which libsrt gives up a connection, less those until packets arrive.
    private static let patience = 4.5

    /// Records a packet.
    mutating func take(_ place: EventContext) {
        if place.direction == .clientToServer { latest.client = place } else { latest.server = place }
    }

    /// The side of which the capture contains no packet, if it contains any of the other.
    var unseen: Direction? {
        if latest.client == nil { return latest.server == nil ? nil : .clientToServer }
        return latest.server == nil ? .serverToClient : nil
    }

    /// Returns the last frame of the side that has an endpoint.
    func lastFrame(of end: Endpoint) -> Int? {
        [latest.client, latest.server].compactMap { $0 }.first { $0.source == end }?.frame
    }

    /// A side that fell silent.
    struct Found {
        var isClient: Bool
        var seconds: Double
        /// Its last packet, and the last of the other side.
        var frames: [Int]

        /// The side in the outcome.
        var outcome: Text {
            Text(
                isClient ? "outcome.srt.clientSilent" : "outcome.srt.serverSilent", .string(rounded(seconds, places: 1))
            )
        }
        var cause: Cause {
            let key = isClient ? "cause.srt-client-idle" : "cause.srt-server-idle"
            return Cause("srt-peer-idle", .proved, frames: frames, Text(key, .string(rounded(seconds, places: 1))))
        }
    }

    /// The side from which nothing arrived in the last seconds before the end, although the other sent packets that have
    /// to be answered.
    var found: Found? {
        guard let client = latest.client, let server = latest.server else { return nil }
        let seconds = client.time.seconds(since: server.time)
        guard abs(seconds) >= Self.patience else { return nil }
        let frames = seconds < 0 ? [client.frame, server.frame] : [server.frame, client.frame]
        return Found(isClient: seconds < 0, seconds: abs(seconds), frames: frames)
    }
}
