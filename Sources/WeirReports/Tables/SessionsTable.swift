import WeirEngine
import WeirPackets

extension Table<SessionRecord> {
    /// One row per session.
    static var sessions: Self {
        Self(
            name: "sessions", meaning: "Sessions: who, what, how fast, and how they ended.",
            key: ["capture", "session"],
            columns: identity + software + times + [
                .text("outcome", "What happened in the end, in words.") { $0.catalogue.list($0.record.outcome) },
                .text("cause", "The most certain cause of a failure that is not ruled out.") { $0.cause?.id },
                .text("causeVerdict", "proved or likely.") { $0.cause?.verdict.rawValue },
                .text("causeText", "The cause in words.") { row in
                    row.cause.map { row.catalogue.sentence($0.text) }
                },
                .texts("causes", "All causes that are not ruled out, most certain first.") {
                    $0.record.causes.filter(\.isHeld).map(\.id)
                },
                .integer("attemptSeries", "The series of similar failed attempts.") { $0.record.attempt?.series },
                .integer("attemptNumber", "The position in that series, from 1.") { $0.record.attempt?.number },
                .texts("phases", "The names of the phases, in order.") { $0.record.phases.map(\.phase.name) },
                .integers("flows", "The flows, in order of joining.") { $0.record.flows },
                .integers("streams", "The media streams.") { $0.record.streams },
                .json("details", "All members of the session's record that depend on its kind.") { $0.fields },
            ])
    }

    private static var identity: [Column<SessionRecord>] {
        [
            .capture,
            .integer("session", "The number of the session in its capture, from 1.", required: true) { $0.record.id },
            .text("kind", "The kind, such as rtsp.", required: true) { $0.record.kind },
            .text("clientAddress", "The address that opened the first flow.", required: true) {
                $0.record.reference.client.address.description
            },
            .integer("clientPort", "Its port.", required: true) { Int($0.record.reference.client.port) },
            .text("serverAddress", "The other address.", required: true) {
                $0.record.reference.server.address.description
            },
            .integer("serverPort", "Its port.", required: true) { Int($0.record.reference.server.port) },
            .text("subject", "What the session is about, such as its URI; secrets are masked.") { row in
                row.record.reference.subject(row.secrets)
            },
            .text("role", "Whether the client plays or publishes, where the protocol has such roles.") {
                $0.text("role")
            },
            .text("tunnel", "The protocol that the session is tunneled in.") { $0.text("tunnel") },
        ]
    }

    private static var software: [Column<SessionRecord>] {
        [
            .text("clientSoftware", "The software of the client.") {
                $0.text("clientPeer", "name") ?? $0.text("userAgent")
            },
            .text("clientEvidence", "The text that identifies it, usually with its version.") {
                $0.text("clientPeer", "evidence") ?? $0.text("userAgent")
            },
            .text("serverSoftware", "The software of the server.") {
                $0.text("serverPeer", "name") ?? $0.text("server")
            },
            .text("serverEvidence", "The text that identifies it, usually with its version.") {
                $0.text("serverPeer", "evidence") ?? $0.text("server")
            },
        ]
    }

    private static var times: [Column<SessionRecord>] {
        [
            .time("startTime", "The time of the first event.") { $0.record.startTime },
            .time("endTime", "The time of the last event.") { $0.record.phases.map(\.endTime).max() },
            .number("setupTimeMs", "Until the session is set up.", unit: "ms") { $0.number("setupTimeMs") },
            .number("timeToFirstMediaMs", "Until the first media.", unit: "ms") { $0.number("timeToFirstMediaMs") },
            .number("timeToFirstKeyframeMs", "Until the first key frame.", unit: "ms") {
                $0.number("timeToFirstKeyframeMs")
            },
            .number("handshakeTimeMs", "The duration of the handshake.", unit: "ms") { $0.number("handshakeTimeMs") },
            .number("iceTimeMs", "The duration of the connectivity checks.", unit: "ms") { $0.number("iceTimeMs") },
            .text("closedBy", "The side that closed first.") { $0.text("closedBy") },
            .flag("lacksMedia", "Whether media was negotiated outside the capture.") { $0.record.lacksMedia },
        ]
    }
}

extension TableRow<SessionRecord> {
    fileprivate var cause: Cause? { record.causes.first(where: \.isHeld) }
}
