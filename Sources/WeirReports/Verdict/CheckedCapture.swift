import WeirEngine

/// The contents of the conformance report for one capture.
struct CheckedCapture {
    /// A finding with its step.
    struct Found {
        var finding: Finding
        /// The step in one line, or nil if the finding has none.
        var step: String?
    }

    /// Repetitions of one finding, in one or several sessions.
    struct Fold {
        /// The first finding.
        var first: Found
        /// The frames of the others, up to a limit.
        var frames: [Int] = []
        /// The number of the others.
        var repeats = 0
        /// The frame of the last one, if those between are not known.
        var lastFrame: Int?
        /// The distinct values of the others.
        var values: [Text] = []
        /// The sessions with the finding, in order; empty if it has none.
        var sessions: [Int]

        var finding: Finding { first.finding }

        init(_ first: Found) {
            self.first = first
            sessions = first.finding.session.map { [$0] } ?? []
            count(first.finding)
        }

        /// Counts the occurrences of a finding behind its first.
        private mutating func count(_ finding: Finding) {
            guard finding.count > 1 else { return }
            repeats += finding.count - 1
            lastFrame = max(lastFrame ?? 0, finding.lastFrame ?? 0)
        }

        /// Adds another finding.
        mutating func add(_ other: Finding) {
            repeats += 1
            count(other)
            if let session = other.session, sessions.last != session, !sessions.contains(session) {
                sessions.append(session)
            }
            if let frame = other.frame, frames.count < CheckedCapture.mostFrames { frames.append(frame) }
            take(other)
        }

        /// Adds the values of another finding, if they differ.
        private mutating func take(_ other: Finding) {
            let said = { (finding: Finding) in finding.actual ?? finding.message }
            guard values.count < CheckedCapture.mostFrames, said(other) != said(finding), !values.contains(said(other))
            else { return }
            values.append(said(other))
        }
    }

    /// The maximum number of frames and values of repetitions.
    private static let mostFrames = 5

    var record: CaptureRecord
    var findings: [Found] = []
    /// The number of findings beyond the limit.
    var unlisted = 0
    /// The headings of sessions with findings, by number.
    var sessions: [Int: String] = [:]
    var tallies: [RuleTally] = []
    var counts = FindingCounts()
    var summary = SummaryRecord()
    var verdict = CaptureVerdict()

    /// Adds the later occurrences of findings.
    mutating func count(_ repeated: [RepeatedFinding]) {
        for repeats in repeated {
            let place = findings.lastIndex {
                $0.finding.event == repeats.event && $0.finding.fingerprint == repeats.fingerprint
            }
            if let place { findings[place].finding = repeats.counted(findings[place].finding) }
        }
    }

    /// The findings, with repetitions folded, worst first, undecided ones last.
    var folds: [Fold] {
        var folds: [Fold] = []
        var places: [String: Int] = [:]
        for found in findings {
            let finding = found.finding
            let key = [
                finding.session == nil ? "-" : "", finding.fingerprint, finding.severity.rawValue,
                finding.verdict.rawValue, finding.waivedBy ?? "",
            ].joined(separator: "\n")
            if let place = places[key] {
                folds[place].add(finding)
            } else {
                places[key] = folds.count
                folds.append(Fold(found))
            }
        }
        // A stable sort preserves the order within a rank.
        return folds.enumerated().sorted { one, other in
            let ranks = (Self.rank(one.element.finding), Self.rank(other.element.finding))
            return ranks.0 == ranks.1 ? one.offset < other.offset : ranks.0 < ranks.1
        }.map(\.element)
    }

    /// Returns the rank: 0 for errors that count, then warnings, notes, accepted findings, undecided ones.
    static func rank(_ finding: Finding) -> Int {
        if finding.verdict != .fail { return 4 }
        if !finding.counts { return 3 }
        return switch finding.severity {
        case .error: 0
        case .warning: 1
        case .note: 2
        }
    }
}
