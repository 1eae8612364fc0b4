import WeirEngine
import WeirPackets

/// Prints the steps of a timeline: in full, live, or condensed.
final class TimelineWriter {
    /// The maximum number of lines of one kind per flow, so that recurring steps do not dominate long sessions.
    private static let mostRepeats = 12

    /// The page.
    var text: TextPage
    let textColumn: Int
    private let options: ReportOptions
    private let condenses: Bool
    /// Whether recurring steps are limited: live output is not asked for step by step.
    private let limitsRepeats: Bool
    private let indent: String
    private var explained: Set<String> = []
    private var repeats = StepRepeats()
    private var phaseHeadings: [String: String] = [:]

    init(_ options: ReportOptions, _ page: TextReport.Page, isLive: Bool = false) {
        limitsRepeats = isLive
        self.options = options
        text = TextPage(options, page)
        textColumn = text.textColumn
        indent = TextLayout.spaces(text.textColumn)
        condenses = !page.isWhole
    }

    /// Starts a capture.
    func begin() {
        explained = []
        repeats = StepRepeats()
    }

    // MARK: - Steps

    /// Prints a step of a phase with its explanation and its findings.
    func step(_ event: Event, in phase: Phase?, isForward: Bool, _ found: [Finding], of group: TimelineGroup) {
        let findings = found.filter { isShown($0, group) }
        if condenses, findings.isEmpty, isCounted(event, group) { return }
        let times = limitsRepeats && findings.isEmpty ? repeats.count(event) : 0
        guard times <= Self.mostRepeats else { return }
        let line = self.line(event, in: phase, isForward: isForward, group)
        // Short text about a past phase needs no heading.
        if line.brief == nil || phase.map({ !group.phases.contains($0) }) ?? false { enter(phase, group) }
        if !condenses
            || group.line?.append(line, comma: text.catalogue.comma, protocolLabel: text.protocolLabel) != true
        {
            end(group)
            group.line = line
        }
        if !condenses || !findings.isEmpty { end(group) }
        if times == Self.mostRepeats {
            text.hanging(indent, text.label("repeats"), column: textColumn, style: .explanation)
        }
        // Rules that are undecided for the same reason are not listed one by one.
        for finding in findings where !(event.isCut && finding.verdict == .inconclusive) {
            text.finding(finding, column: textColumn)
        }
        if event.isCut, !condenses { text.cut(found.filter { $0.verdict == .inconclusive }, column: textColumn) }
    }

    /// Prints a finding without a step.
    func finding(_ finding: Finding, in group: TimelineGroup) {
        guard isShown(finding, group) else { return }
        end(group)
        text.finding(finding, column: textColumn)
    }

    /// Prints the pending line, and the counts.
    func close(_ group: TimelineGroup) {
        end(group)
        writeCounted(group)
    }

    /// Starts a phase.
    func enter(_ phase: Phase?, _ group: TimelineGroup) {
        guard let phase, group.phase != phase else { return }
        end(group)
        if !group.phases.contains(phase) { group.phases.append(phase) }
        if !condenses { text.line() }
        group.phase = phase
        text.line(heading(phase))
    }

    private func heading(_ phase: Phase) -> String {
        if let known = phaseHeadings[phase.name] { return known }
        let heading = "  " + text.style(text.catalogue.sentence(Text("phase.\(phase.name)")), .phase)
        phaseHeadings[phase.name] = heading
        return heading
    }

    // MARK: - Selection

    /// Whether a finding is printed at its step: in a condensed timeline only errors and warnings are, others are
    /// listed above it.
    private func isShown(_ finding: Finding, _ group: TimelineGroup) -> Bool {
        if finding.isHabit { return text.page.showsHabits }
        guard finding.verdict == .fail, finding.severity == .note else { return !condenses || finding.verdict == .fail }
        guard !condenses else { return false }
        var hasher = Hasher()
        hasher.combine(finding.rule)
        hasher.combine(finding.message)
        return group.isNew(hasher.finalize())
    }

    /// Whether a step is counted whatever precedes it, and was; then it needs not wait.
    func countsAtOnce(_ event: Event, _ found: [Finding], in group: TimelineGroup) -> Bool {
        guard condenses, found.isEmpty, let step = CountedStep(event) else { return false }
        group.count(step.protocolName, frame: step.frame, step.name, isAnswer: false)
        return true
    }

    /// Whether a step is one of many of its kind, and was counted.
    private func isCounted(_ event: Event, _ group: TimelineGroup) -> Bool {
        // A response is treated like its request.
        var condensed = event.message.condensed
        var isAnswer = false
        if case .step = condensed, let request = event.answers?.request, case .firstOnly = request.condensed {
            (condensed, isAnswer) = (request.condensed, true)
        }
        let name: String
        switch condensed {
        case .step, .brief: return false
        case .omitted: return event.remarks.isEmpty
        case .counted(let words): name = words
        case .firstOnly(let words):
            name = words
            guard !isFirst(event, words, group) else { return false }
        }
        guard event.remarks.allSatisfy({ $0.isEvidence || group.seen.contains(Self.hash($0)) }) else { return false }
        group.count(event.message.protocolName, frame: event.frame, name, isAnswer: isAnswer)
        return true
    }

    private func isFirst(_ event: Event, _ name: String, _ group: TimelineGroup) -> Bool {
        var hasher = Hasher()
        hasher.combine(event.flow)
        hasher.combine(event.stream)
        hasher.combine(event.direction)
        hasher.combine(event.message.protocolName)
        hasher.combine(name)
        return group.isNew(hasher.finalize())
    }

    private static func hash(_ remark: Remark) -> Int {
        var hasher = Hasher()
        hasher.combine(remark.text)
        hasher.combine(remark.reference)
        return hasher.finalize()
    }

    // MARK: - Lines

    /// Returns the line of a step, with its remarks.
    private func line(_ event: Event, in phase: Phase?, isForward: Bool, _ group: TimelineGroup) -> TimelineLine {
        var said: [UInt8] = []
        text.catalogue.write(event.message, to: &said)
        if condenses { shorten(&said, event.message, group) }
        var brief: [UInt8]?
        if condenses, case .brief(let words) = event.message.condensed, event.remarks.isEmpty {
            brief = words.map { Array(options.secrets.apply(text: text.catalogue.line($0)).utf8) } ?? said
        }
        for remark in event.remarks where !condenses || !remark.isEvidence && group.isNew(Self.hash(remark)) {
            said += Array((text.catalogue.semicolon + text.catalogue.remark(remark)).utf8)
        }
        return TimelineLine(
            event, in: phase, isForward: isForward, text: said, aside: text.aside(event, options.secrets),
            explanation: explanation(event), brief: brief)
    }

    /// Removes what the session's heading or an earlier line contains.
    private func shorten(_ line: inout [UInt8], _ message: any Message, _ group: TimelineGroup) {
        if let once = message.shownOnce {
            let words = Array(options.secrets.apply(text: text.catalogue.line(once)).utf8)
            var hasher = Hasher()
            hasher.combine(words)
            if !group.isNew(hasher.finalize()), let place = ASCII.range(of: words, in: line[...]) {
                line.removeSubrange(place)
            }
        }
        guard let subject = group.subject, subject.utf8.count > Self.shortSubject else { return }
        let prefix = Array((subject + "/").utf8)
        var start = 0
        while let place = ASCII.range(of: prefix, in: line[start...]) {
            line.replaceSubrange(place, with: Self.abbreviation)
            start = place.lowerBound + Self.abbreviation.count
        }
    }

    /// The maximum length of a subject that is not abbreviated; also the length of an abbreviation.
    private static let shortSubject = 8
    private static let abbreviation = Array("…/".utf8)

    /// Returns the explanation of a step, unless it was given before.
    private func explanation(_ event: Event) -> (key: String, sentence: String)? {
        guard options.explanations != .never, let note = event.note ?? event.message.note,
            options.explanations == .always || !explained.contains(note.key), let sentence = text.catalogue.note(note)
        else { return nil }
        return (note.key, sentence)
    }

    /// Prints the pending line.
    private func end(_ group: TimelineGroup) {
        guard var line = group.line.take() else { return }
        text.head(line.first, arrow: line.isBothWays ? "↔" : line.isForward ? "→" : "←")
        if line.brief != nil, line.steps > 1 { conclude(&line) }
        let start = text.write { $0 += line.text }
        let explanation = line.explanation.flatMap { known in
            options.explanations == .always || !explained.contains(known.key) ? known : nil
        }
        let isInline = options.explanations == .first
        let isWithinLimit = text.end(
            from: start, aside: line.aside, explanation: isInline ? explanation?.sentence : nil, column: textColumn)
        guard let explanation else { return }
        if !isInline || !isWithinLimit && !condenses {
            text.hanging(indent, explanation.sentence, column: textColumn, style: .explanation)
        } else if !isWithinLimit {
            return
        }
        explained.insert(explanation.key)
    }

    /// Completes a line of several steps with the last frame, the duration, and the explanation.
    private func conclude(_ line: inout TimelineLine) {
        if line.last.frame != line.first.frame {
            let nanoseconds = line.last.offset &- line.first.offset
            let isShort = nanoseconds < 1_000_000_000
            let words = isShort ? "\(milliseconds(nanoseconds)) ms" : duration(Double(nanoseconds) / 1_000_000_000)
            let taken = nanoseconds > 0 ? text.catalogue.comma + words : ""
            line.text += Array(text.catalogue.aside("#\(line.last.frame)\(taken)").utf8)
        }
        let key = "condensed.\(line.first.protocolName).\(line.first.kind)"
        if options.explanations != .never, let sentence = text.catalogue.translation(key) {
            line.explanation = (key, sentence)
        }
    }

    /// Prints the counts of the phase.
    private func writeCounted(_ group: TimelineGroup) {
        let counted = group.takeCounted()
        guard !counted.isEmpty, let frames = counted.frames else { return }
        let place = frames.count == 1 ? "#\(frames.lowerBound)" : "#\(frames.lowerBound)–#\(frames.upperBound)"
        let column = textColumn - Self.countedIndent
        text.hanging(
            TextLayout.right(place, column - 3) + "   ", counted.text(text.catalogue, label: text.protocolLabel),
            column: column, style: .explanation)
    }

    /// The indentation of counts relative to the text of steps: at the column of the protocol.
    private static let countedIndent = 6
}

extension Finding {
    /// Whether it is a known quirk of an implementation, and only a note.
    var isHabit: Bool { verdict == .fail && severity == .note && quirk != nil }

    /// Whether it is an error or a warning.
    var isFault: Bool { verdict == .fail && severity > .note }
}
