/// A reason why verdicts are inconclusive, with advice for the next capture.
package struct CaptureAdvice: Sendable, Hashable {
    /// A deficiency of the capture or of the rule selection.
    package enum Lack: String, Sendable, Hashable, CaseIterable {
        /// No rules are enabled.
        case rules
        /// The capture contains nothing that the rules apply to.
        case subjects
        /// Packets were dropped during capture.
        case drops
        /// Packets were truncated by the snap length.
        case cut
        /// Bytes of TCP connections are missing.
        case gap
        /// Packets appear after packets that acknowledge them.
        case disorder
        /// A limit of the analyzer was reached.
        case limited
        /// Only one direction was captured.
        case oneSided
        /// Sessions started before the capture.
        case startsLate
        /// Sessions were still open when the capture ended.
        case endsEarly
        /// A filter excluded packets from the analysis.
        case filtered
        /// Media was negotiated, but the capture does not contain it.
        case noMedia
        /// The file could not be read to the end.
        case damaged
    }

    /// The deficiency.
    package var lack: Lack
    /// The number of sessions or packets affected.
    package var count: Int
    /// The advice; its catalog key is `advice.<lack>`.
    package var text: Text { Text("advice.\(lack.rawValue)", .integer(count)) }
}

/// Tracks the deficiencies of a capture during judging.
struct CaptureQuality {
    /// Counts of deficiencies, by name: the first dictionary of each other type of keys takes 0.1 ms.
    private struct Counts {
        private var byName: [String: Int] = [:]

        subscript(lack: CaptureAdvice.Lack) -> Int? {
            get { byName[lack.rawValue] }
            set { byName[lack.rawValue] = newValue }
        }
    }

    private var sessions = Counts()
    /// The number of inconclusive findings.
    private var undecided = 0

    /// Counts a finding.
    mutating func note(_ finding: Finding) {
        if finding.verdict == .inconclusive { undecided += 1 }
    }

    /// Records which data of a session is missing.
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
        for (isSo, lack) in lacks where isSo { sessions[lack] = (sessions[lack] ?? 0) + 1 }
    }

    private var damaged: CaptureAdvice { CaptureAdvice(lack: .damaged, count: 1) }

    /// Returns the advice, most severe first; empty when every verdict was conclusive.
    ///
    /// - Parameter idle: Why nothing was judged, or nil if something was.
    func advice(_ summary: SummaryRecord, idle: CaptureAdvice.Lack?) -> [CaptureAdvice] {
        var found = sessions
        if let dropped = summary.droppedPackets, dropped > 0 { found[.drops] = dropped }
        if summary.truncatedPackets > 0, sessions[.cut] != nil { found[.cut] = summary.truncatedPackets }
        if summary.damage != nil { found[.damaged] = 1 }
        if let idle {
            // The truncated bytes may be the only ones that rules apply to.
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
