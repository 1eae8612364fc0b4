import WeirEngine

/// All that a page of the conformance report can say of one capture.
struct CheckedCapture {
    /// A finding, and what it stands at.
    struct Found {
        var finding: Finding
        /// The step in one line; nil when the finding is about no single step.
        var step: String?
    }

    /// The same finding, made several times, in one session or in several.
    struct Fold {
        /// The first of them.
        var first: Found
        /// The frames of the further ones, as many as are worth naming.
        var frames: [Int] = []
        /// How many further ones there are.
        var repeats = 0
        /// What else was found, each value once.
        var values: [Text] = []
        /// The sessions that have it, in order; empty when it is about none.
        var sessions: [Int]

        var finding: Finding { first.finding }

        /// Keeps what a further one has found, where it is something else.
        mutating func take(_ other: Finding) {
            let said = { (finding: Finding) in finding.actual ?? finding.message }
            guard values.count < CheckedCapture.mostFrames, said(other) != said(finding), !values.contains(said(other))
            else { return }
            values.append(said(other))
        }
    }

    /// Frames and values of repeats that are named.
    private static let mostFrames = 5

    var record: CaptureRecord
    var findings: [Found] = []
    /// Findings that were counted, but are not kept.
    var unlisted = 0
    /// Lines that name the sessions with findings, by number.
    var sessions: [Int: String] = [:]
    var tallies: [RuleTally] = []
    var counts = FindingCounts()
    var summary = SummaryRecord()
    var verdict = CaptureVerdict()

    /// The findings, folded over repeats, worst first, what is undecided last.
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
                folds[place].repeats += 1
                if let session = finding.session, folds[place].sessions.last != session,
                    !folds[place].sessions.contains(session)
                {
                    folds[place].sessions.append(session)
                }
                if let frame = finding.frame, folds[place].frames.count < Self.mostFrames {
                    folds[place].frames.append(frame)
                }
                folds[place].take(finding)
            } else {
                places[key] = folds.count
                folds.append(Fold(first: found, sessions: finding.session.map { [$0] } ?? []))
            }
        }
        // A stable sort: within one rank the order is the capture's.
        return folds.enumerated().sorted { one, other in
            let ranks = (Self.rank(one.element.finding), Self.rank(other.element.finding))
            return ranks.0 == ranks.1 ? one.offset < other.offset : ranks.0 < ranks.1
        }.map(\.element)
    }

    /// 0 for errors that count, then warnings, notes, what was accepted, what is undecided.
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
