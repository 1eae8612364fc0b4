import WeirEngine
import WeirPackets

/// A buffer for a page of text, written line by line.
struct TextPage {
    private(set) var octets: [UInt8] = []
    let page: TextReport.Page
    let catalogue: Catalogue

    init(_ options: ReportOptions, _ page: TextReport.Page) {
        self.page = page
        catalogue = Catalogue(options.language, options.secrets, options.plugins)
    }

    mutating func line(_ text: String = "") {
        octets.append(contentsOf: text.utf8)
        octets.append(ASCII.lineFeed)
    }

    /// Writes the start of a line, completed by `line`.
    mutating func part(_ text: String) {
        octets.append(contentsOf: text.utf8)
    }

    /// Writes a part of a line.
    mutating func part(_ words: ArraySlice<UInt8>) { octets += words }

    /// Writes the heading of a resumed group.
    mutating func resume(_ name: String, _ continued: String) {
        line()
        part(name)
        part("  ")
        line(continued)
    }

    /// Appends the octets that `words` writes, and returns their position.
    mutating func write(_ words: (inout [UInt8]) -> Void) -> Int {
        let start = octets.count
        words(&octets)
        return start
    }

    /// Writes a number in a column, padded on the left, with `sign` before it.
    mutating func number(_ value: Int, sign: UInt8, right columns: Int) {
        spaces(columns - 1 - [UInt8].decimalWidth(value.magnitude))
        octets.append(sign)
        octets.appendDecimal(value.magnitude, width: [UInt8].decimalWidth(value.magnitude))
    }

    /// Writes nanoseconds as seconds with six decimals, padded on the left.
    mutating func seconds(nanoseconds: Int64, right columns: Int) {
        let microseconds = UInt((Double(nanoseconds.magnitude) / 1_000_000_000 * 1_000_000).rounded())
        let isNegative = nanoseconds < 0 && microseconds > 0
        let (whole, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let width = [UInt8].decimalWidth(whole)
        spaces(columns - width - (isNegative ? 8 : 7))
        if isNegative { octets.append(UInt8(ascii: "-")) }
        octets.appendDecimal(whole, width: width)
        octets.append(UInt8(ascii: "."))
        octets.appendDecimal(fraction, width: 6)
    }

    /// Ends a line with the text written since `start`, which is wrapped at `column`, and `aside` at the right edge of
    /// its last line, or of an additional one.
    ///
    /// - Parameter explanation: Text between both, if there is room for it.
    /// - Returns: Whether the explanation was written.
    @discardableResult
    mutating func end(from start: Int, aside: String, explanation: String? = nil, column: Int) -> Bool {
        let columns = max(20, page.width - column)
        let aside = Printable.clean(aside)
        let width = TextLayout.plainWidth(octets[start...])
        // Fast path: nearly all text is plain, fits, and already is in its place.
        if let width, width <= columns, aside.isEmpty || width + 2 + aside.utf8.count <= columns {
            return finish(aside, after: width, explanation, columns)
        }
        let lines = takeLines(from: start, columns, width)
        for line in lines.dropLast() {
            octets.append(contentsOf: line)
            octets.append(ASCII.lineFeed)
            spaces(column)
        }
        let last = lines.last ?? []
        octets.append(contentsOf: last)
        var used = TextLayout.width(octets: last)
        if !aside.isEmpty, used + 2 + TextLayout.width(aside) > columns {
            octets.append(ASCII.lineFeed)
            spaces(column)
            used = 0
        }
        return finish(aside, after: used, explanation, columns)
    }

    /// Removes the text written since `start`, and returns it in lines; `width` is its width, if it is plain.
    private mutating func takeLines(from start: Int, _ columns: Int, _ width: Int?) -> [ArraySlice<UInt8>] {
        let text = Array(octets[start...])
        octets.removeSubrange(start...)
        guard let width else {
            return TextLayout.lines(Array(Printable.clean(String(decoding: text, as: UTF8.self)).utf8)[...], columns)
        }
        return width <= columns ? [text[...]] : TextLayout.plainLines(text[...], columns)
    }

    /// Ends a line with `aside` at the right edge, preceded by an explanation if there is room; returns whether there
    /// was.
    private mutating func finish(_ aside: String, after width: Int, _ explanation: String?, _ columns: Int) -> Bool {
        let asideWidth = TextLayout.width(aside)
        var used = width
        let words = explanation.map { Self.separator + Printable.clean($0) } ?? ""
        let room = columns - width - (aside.isEmpty ? 0 : asideWidth + 2)
        let isWithinLimit = !words.isEmpty && TextLayout.width(words) <= room
        if isWithinLimit {
            octets.append(contentsOf: style(words, .explanation).utf8)
            used += TextLayout.width(words)
        }
        if !aside.isEmpty {
            spaces(columns - used - asideWidth)
            octets.append(contentsOf: aside.utf8)
        }
        octets.append(ASCII.lineFeed)
        return isWithinLimit
    }

    /// The separator between a step and its explanation.
    private static let separator = "  — "

    /// Writes spaces; none if the count is negative.
    mutating func spaces(_ count: Int) {
        for _ in 0..<max(0, count) { octets.append(ASCII.space) }
    }

    /// Ends a line that began at `start`, without the spaces at its end.
    mutating func endTrimmed(from start: Int, _ style: TextStyle? = nil) {
        while octets.count > start, octets.last == ASCII.space { octets.removeLast() }
        if let style, page.color {
            let text = String(decoding: octets[start...], as: UTF8.self)
            octets.removeSubrange(start...)
            part(style.apply(text, color: true))
        }
        octets.append(ASCII.lineFeed)
    }

    /// Writes text without control characters after the start of its first line, with a hanging indent.
    mutating func hang(_ text: ArraySlice<UInt8>, width: Int, column: Int) {
        guard width <= max(20, page.width - column) else {
            return hanging("", String(decoding: text, as: UTF8.self), column: column)
        }
        octets += text
        octets.append(ASCII.lineFeed)
    }

    /// Writes text with a hanging indent, and `head` before the first line only.
    mutating func hanging(_ head: String, _ text: String, column: Int, style: TextStyle? = nil) {
        let text = Array(Printable.clean(text).utf8)
        for (index, line) in TextLayout.lines(text[...], max(20, page.width - column)).enumerated() {
            if index == 0 { part(head) } else { spaces(column) }
            if let style, page.color {
                part(style.apply(String(decoding: line, as: UTF8.self), color: true))
            } else {
                octets.append(contentsOf: line)
            }
            octets.append(ASCII.lineFeed)
        }
    }

    /// Writes a bold label in a column, with text beside it.
    mutating func block(_ name: String, _ text: String) {
        let head = style(name, .heading) + TextLayout.spaces(max(2, Self.blockColumn - TextLayout.width(name)))
        hanging(head, text, column: max(Self.blockColumn, TextLayout.width(name) + 2))
    }

    /// The column of the text beside labels.
    static let blockColumn = 11

    /// Writes a finding, its severity right before `column`.
    mutating func finding(_ finding: Finding, times: Int = 1, place: String = "", column: Int) {
        let (name, look): (String, TextStyle) =
            switch (finding.verdict, finding.severity) {
            case (.inconclusive, _): (label("inconclusive"), .note)
            case (_, .error): (label("error"), .error)
            case (_, .warning): (label("warning"), .warning)
            case (_, .note): (label("note"), .note)
            }
        let count = times > 1 ? " ×\(times)" : ""
        var text = "\(finding.rule)\(count)  \(place)\(catalogue.sentence(finding.message))"
        if let expected = finding.expected, let actual = finding.actual {
            // The sentence continues.
            if text.last == "." || text.last == "。" { text.removeLast() }
            let values = (catalogue.words(expected), catalogue.words(actual))
            // The values continue the sentence.
            if text.hasSuffix(".") || text.hasSuffix("。") { text.removeLast() }
            text += label("expectedActual", .string(values.0), .string(values.1))
        }
        if !finding.reference.isEmpty { text += catalogue.aside(finding.reference) }
        if let quirk = finding.quirk { text += " [\(quirk)]" }
        hanging(style(TextLayout.right(name, column - 2), look) + "  ", text, column: column)
    }

    /// Writes the rules that are undecided because a message is truncated in the capture.
    mutating func cut(_ findings: [Finding], column: Int) {
        guard !findings.isEmpty else { return }
        let rules = findings.map(\.rule).joined(separator: ", ")
        hanging(
            style(TextLayout.right(label("inconclusive"), column - 2), .note) + "  ",
            rules + label("cutRules"), column: column)
    }

    func style(_ text: String, _ style: TextStyle) -> String { style.apply(text, color: page.color) }

    func label(_ key: String, _ arguments: Text.Argument...) -> String {
        catalogue.sentence(Text("label.\(key)", arguments: arguments))
    }

    /// Returns counts as text: `1 error, 2 warnings`; nil if there are none.
    func tally(_ counts: FindingCounts) -> String? {
        let parts = [
            (counts.errors, "errors"), (counts.warnings, "warnings"), (counts.notes, "notes"),
            (counts.inconclusive, "inconclusives"),
        ].filter { $0.0 > 0 }.map { count($0.1, $0.0) }
        return parts.isEmpty ? nil : parts.joined(separator: catalogue.comma)
    }

    /// Removes and returns the lines, for later composition.
    mutating func takeLines() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets.isEmpty ? [] : RunnerCommands.defused(octets)
    }

    /// Appends lines returned by `takeLines`.
    mutating func append(_ lines: [UInt8]) { octets += lines }

    /// Removes and returns the octets.
    mutating func takeOctets() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return RunnerCommands.defused(octets)
    }

    /// Removes the octets, and writes them to an output.
    mutating func take(_ output: any ReportOutput) {
        guard !octets.isEmpty else { return }
        output.write(RunnerCommands.defused(octets))
        octets.removeAll(keepingCapacity: true)
    }
}
