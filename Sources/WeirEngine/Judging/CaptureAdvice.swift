/// Something that keeps verdicts undecided, and what to do about it when recording again.
package struct CaptureAdvice: Sendable, Hashable {
    /// What the capture lacks.
    package enum Lack: String, Sendable, Hashable, CaseIterable {
        /// No rule judges.
        case rules
        /// The rules found nothing that they speak of.
        case subjects
        /// Packets were dropped before they could be captured.
        case drops
        /// Packets were cut by the snap length.
        case cut
        /// Octets of connections are missing.
        case gap
        /// Packets stand behind others that acknowledge them.
        case disorder
        /// A limit of the analysis was reached.
        case limited
        /// Only one direction was captured.
        case oneSided
        /// Sessions began before the capture did.
        case startsLate
        /// Sessions went on when the capture ended.
        case endsEarly
        /// A filter kept packets from being analysed.
        case filtered
        /// Media was agreed upon, and none of it is in the capture.
        case noMedia
        /// The file could not be read to its end.
        case damaged
    }

    /// What is missing.
    package var lack: Lack
    /// In how many sessions, or of how many packets.
    package var count: Int
    /// What to do about it: a key of the catalogue is `advice.<lack>`.
    package var text: Text { Text("advice.\(lack.rawValue)", .integer(count)) }
}

/// Watches what a capture lacks while it is judged.
struct CaptureQuality {
    private var sessions: [CaptureAdvice.Lack: Int] = [:]
    /// Findings that could not be decided.
    private var undecided = 0

    /// Notes a finding.
    mutating func note(_ finding: Finding) {
        if finding.verdict == .inconclusive { undecided += 1 }
    }

    /// Notes what is missing of a session.
    mutating func note(_ session: SessionRecord) {
        let completeness = session.reference.completeness
        let lacks: [(Bool, CaptureAdvice.Lack)] = [
            (completeness.hasDrops, .drops), (completeness.isCut, .cut),
            (completeness.lacksOctets && !completeness.isLimited, .gap),
            (completeness.isDisordered && !completeness.lacksOctets, .disorder),
            (completeness.isLimited, .limited),
            (completeness.isOneSided, .oneSided), (completeness.startsLate, .startsLate),
            (completeness.endsEarly, .endsEarly),
            (completeness.isFiltered, .filtered),
            (session.lacksMedia, .noMedia),
        ]
        for (isSo, lack) in lacks where isSo { sessions[lack, default: 0] += 1 }
    }

    private var damaged: CaptureAdvice { CaptureAdvice(lack: .damaged, count: 1) }

    /// What to do better, the gravest first; nothing when all could be decided.
    ///
    /// - Parameter idle: why nothing was judged at all; nil when something was.
    func advice(_ summary: SummaryRecord, idle: CaptureAdvice.Lack?) -> [CaptureAdvice] {
        var found = sessions
        if let dropped = summary.droppedPackets, dropped > 0 { found[.drops] = dropped }
        if summary.truncatedPackets > 0, sessions[.cut] != nil { found[.cut] = summary.truncatedPackets }
        if summary.damage != nil { found[.damaged] = 1 }
        if let idle {
            // What the snap length took may be all that could have been judged.
            let cut = summary.truncatedPackets
            return [CaptureAdvice(lack: idle, count: 1)] + (cut > 0 ? [CaptureAdvice(lack: .cut, count: cut)] : [])
                + (found[.damaged] == nil ? [] : [damaged])
        }
        guard undecided > 0 || summary.damage != nil || found[.noMedia] != nil else { return [] }
        return CaptureAdvice.Lack.allCases.compactMap { lack in
            found[lack].map { CaptureAdvice(lack: lack, count: $0) }
        }
    }
}
