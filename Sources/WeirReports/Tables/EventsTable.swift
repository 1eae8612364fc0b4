import WeirEngine
import WeirPackets

/// An event and its findings.
struct EventRow {
    let event: Event
    let rules: [String]
}

extension Table<EventRow> {
    /// One row per event; written on request, since it is by far the largest table.
    static var events: Self {
        Self(
            name: "events", meaning: "The steps of the timeline; only on request.",
            key: ["capture", "event"],
            columns: [
                .capture,
                .integer("event", "The number of the event in its capture, from 1.", required: true) {
                    $0.record.event.id
                },
                .integer("frame", "The frame that completed the message.", required: true) { $0.record.event.frame },
                .integer("firstFrame", "The frame with its first byte, if another.") { $0.record.event.firstFrame },
                .time("time", "The time of the frame.", required: true) { $0.record.event.time },
                .number("offset", "The time since the first packet.", unit: "s") {
                    Double($0.record.event.offset) / 1e9
                },
                .integer("flow", "The flow.", required: true) { $0.record.event.flow },
                .text("direction", "clientToServer or serverToClient.", required: true) {
                    JSONRecords.name($0.record.event.direction)
                },
                .text("protocol", "The protocol.", required: true) { $0.record.event.message.protocolName },
                .text("kind", "The kind of message or step.", required: true) { $0.record.event.message.kind },
                .text("summary", "The step in one line.", required: true) {
                    $0.catalogue.summary($0.record.event.message)
                },
                .integer("session", "The session.") { $0.record.event.session },
                .integer("stream", "The media stream.") { $0.record.event.stream },
                .number("latencyMs", "The time from the request to this response.", unit: "ms") {
                    $0.record.event.answers.map { Double($0.latency) / 1e6 }
                },
                .texts("findings", "The rules with a finding here.") { $0.record.rules },
                .json("fields", "The fields of the message.") { $0.fields.isEmpty ? nil : $0.fields },
            ])
    }
}
