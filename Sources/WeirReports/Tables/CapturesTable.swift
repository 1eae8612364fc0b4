import WeirEngine
import WeirPackets

/// A capture at its end.
struct CaptureRow {
    /// The name, as given.
    var file: String
    /// The record of its start, or nil if it could not be opened.
    var capture: CaptureRecord?
    /// The figures, or nil if it could not be opened.
    var summary: SummaryRecord?
    /// The findings by severity, or nil if it could not be opened.
    var findings: FindingCounts?
    /// Why it could not be opened.
    var failure: String?
    /// The name of the profile.
    var profile: String

    var status: String {
        if failure != nil { return "unreadable" }
        return summary?.damage == nil ? "complete" : "damaged"
    }
}

extension Table<CaptureRow> {
    /// One row per capture file, including those that cannot be read.
    static var captures: Self {
        Self(
            name: "captures", meaning: "Capture files, with their quality and what stopped reading.",
            key: ["capture"],
            columns: [
                .capture,
                .text("file", "The name of the file.", required: true) { $0.record.file },
                .text(
                    "status",
                    "complete; damaged: read up to the damage; unreadable: not a capture. A fleet job adds failed and "
                        + "unavailable.", required: true
                ) { $0.record.status },
                .text("error", "Why the capture could not be read to its end.") {
                    $0.record.failure ?? $0.record.summary?.damage?.reason
                },
                .integer("damageFrame", "The frame that could not be read.") { $0.record.summary?.damage?.frame },
                .integer("damageOffset", "The offset of the damage in the file.", unit: "bytes") {
                    $0.record.summary?.damage?.offset
                },
                .text("format", "pcap or pcapng.") { $0.record.capture?.format },
                .texts("linkTypes", "The link types, in order of appearance.") {
                    $0.record.capture?.linkTypes.map(\.name) ?? []
                },
                .integer("snapLength", "The snap length, unless unlimited.", unit: "bytes") {
                    $0.record.capture?.snapLength
                },
            ] + figures + [
                .text("profile", "The profile that rules were checked with.", required: true) { $0.record.profile },
                .text("weirVersion", "The version of Weir.", required: true) { _ in Version.number },
                .text("schemaVersion", "The version of the tables.", required: true) { _ in TableSchema.version },
            ])
    }

    private static var figures: [Column<CaptureRow>] {
        [
            .time("startTime", "The time of the first frame.") { $0.record.summary?.startTime },
            .time("endTime", "The latest time of a frame.") { $0.record.summary?.endTime },
            .number("durationSeconds", "From the first to the last frame.", unit: "s") {
                guard let summary = $0.record.summary, let start = summary.startTime, let end = summary.endTime
                else { return nil }
                return max(0, end.seconds(since: start))
            },
            .integer("packets", "Frames read.") { $0.record.summary?.packets },
            .integer("bytes", "Their length on the wire.", unit: "bytes") { $0.record.summary?.bytes },
            .integer("truncatedPackets", "Frames cut by the snap length.") { $0.record.summary?.truncatedPackets },
            .integer("undecodedPackets", "Frames without a transport layer that Weir decodes.") {
                $0.record.summary?.undecodedPackets
            },
            .integer("checksumErrors", "Packets with an incorrect checksum.") { $0.record.summary?.checksumErrors },
            .integer("droppedPackets", "Packets that the capture lost, if it recorded their number.") {
                $0.record.summary?.droppedPackets
            },
            .integer("captureDuplicates", "Packets that the capture contains more than once.") {
                $0.record.summary?.captureDuplicates
            },
            .integer("wrongTimes", "Frames with an implausible timestamp.") { $0.record.summary?.wrongTimes },
            .integer("timesBack", "How often the timestamps step back by more than a second.") {
                $0.record.summary?.stepsBack
            },
            .integer("encryptedFlows", "Encrypted flows of unknown purpose.") { $0.record.summary?.encryptedFlows },
            .integer("events", "Events of the timeline.") { $0.record.summary?.events },
            .integer("errors", "Findings of severity error.") { $0.record.findings?.errors },
            .integer("warnings", "Findings of severity warning.") { $0.record.findings?.warnings },
            .integer("notes", "Findings of severity note.") { $0.record.findings?.notes },
            .integer("inconclusive", "Rules that the capture does not allow to decide.") {
                $0.record.findings?.inconclusive
            },
            .texts("limitsReached", "Limits reached, in words.") { row in
                (row.record.summary?.limitsReached ?? []).map { row.catalogue.sentence($0) }
            },
        ]
    }
}
