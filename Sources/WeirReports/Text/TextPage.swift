import WeirEngine
import WeirPackets

/// A page of text that is filled line by line.
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

    /// The beginning of a line; what follows comes with `line`.
    mutating func part(_ text: String) {
        octets.append(contentsOf: text.utf8)
    }

    /// The heading of a group that goes on.
    mutating func resume(_ name: String, _ continued: String) {
        line()
        part(name)
        part("  ")
        line(continued)
    }

    /// Takes what `words` appends, as it is, and says where it begins.
    mutating func write(_ words: (inout [UInt8]) -> Void) -> Int {
        let start = octets.count
        words(&octets)
        return start
    }

    /// A number in a column, `sign` in front of it, filled with spaces on the left.
    mutating func number(_ value: Int, sign: UInt8, right columns: Int) {
        spaces(columns - 1 - [UInt8].decimalWidth(value.magnitude))
        octets.append(sign)
        octets.appendDecimal(value.magnitude, width: [UInt8].decimalWidth(value.magnitude))
    }

    /// Nanoseconds as seconds with six decimals, filled with spaces on the left.
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

    /// Ends a line with what was written since `start`, which goes on under its beginning at `column`, and with `aside` at
    /// the right edge: in the last of its lines, or in one more.
    ///
    /// - Parameter explanation: stands between both where there is room for it.
    /// - Returns: whether there was.
    @discardableResult
    mutating func end(from start: Int, aside: String, explanation: String? = nil, column: Int) -> Bool {
        let columns = max(20, page.width - column)
        let aside = Printable.clean(aside)
        let width = TextLayout.plainWidth(octets[start...])
        // Nearly all text is plain, and fits: then it stands where it belongs already.
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

    /// Takes back what was written since `start`, in lines; `width` is what it takes, if it is plain.
    private mutating func takeLines(from start: Int, _ columns: Int, _ width: Int?) -> [ArraySlice<UInt8>] {
        let text = Array(octets[start...])
        octets.removeSubrange(start...)
        guard let width else {
            return TextLayout.lines(Array(Printable.clean(String(decoding: text, as: UTF8.self)).utf8)[...], columns)
        }
        return width <= columns ? [text[...]] : TextLayout.plainLines(text[...], columns)
    }

    /// Ends a line, `aside` at the right edge, with an explanation before it if there is room; returns whether there was.
    private mutating func finish(_ aside: String, after width: Int, _ explanation: String?, _ columns: Int) -> Bool {
        let asideWidth = TextLayout.width(aside)
        var used = width
        let words = explanation.map { Self.separator + Printable.clean($0) } ?? ""
        let room = columns - width - (aside.isEmpty ? 0 : asideWidth + 2)
        let hasRoom = !words.isEmpty && TextLayout.width(words) <= room
        if hasRoom {
            octets.append(contentsOf: style(words, .explanation).utf8)
            used += TextLayout.width(words)
        }
        if !aside.isEmpty {
            spaces(columns - used - asideWidth)
            octets.append(contentsOf: aside.utf8)
        }
        octets.append(ASCII.lineFeed)
        return hasRoom
    }

    /// What stands between a step and what it does.
    private static let separator = "  — "

    /// Spaces; none when the count is negative.
    mutating func spaces(_ count: Int) {
        for _ in 0..<max(0, count) { octets.append(ASCII.space) }
    }

    /// Text that goes on under its beginning: `head` stands in front of the first line only.
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

    /// A word in bold in a column of its own, and text beside it.
    mutating func block(_ name: String, _ text: String) {
        let head = style(name, .heading) + TextLayout.spaces(max(2, Self.blockColumn - TextLayout.width(name)))
        hanging(head, text, column: max(Self.blockColumn, TextLayout.width(name) + 2))
    }

    /// The column at which the text of blocks begins.
    static let blockColumn = 11

    /// A finding, its severity right before `column`.
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
            // The sentence goes on.
            if text.last == "." || text.last == "。" { text.removeLast() }
            let values = (catalogue.words(expected), catalogue.words(actual))
            // The values go on with the sentence.
            if text.hasSuffix(".") || text.hasSuffix("。") { text.removeLast() }
            text += label("expectedActual", .string(values.0), .string(values.1))
        }
        if !finding.reference.isEmpty { text += catalogue.aside(finding.reference) }
        if let quirk = finding.quirk { text += " [\(quirk)]" }
        hanging(style(TextLayout.right(name, column - 2), look) + "  ", text, column: column)
    }

    /// Rules that a message of which only the beginning was captured leaves undecided.
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

    /// Findings in words: `1 error, 2 warnings`; nil when there are none.
    func tally(_ counts: FindingCounts) -> String? {
        let parts = [
            (counts.errors, "errors"), (counts.warnings, "warnings"), (counts.notes, "notes"),
            (counts.inconclusive, "inconclusives"),
        ].filter { $0.0 > 0 }.map { count($0.1, $0.0) }
        return parts.isEmpty ? nil : parts.joined(separator: catalogue.comma)
    }

    /// Takes the lines that were written, for a page that is put together later.
    mutating func takeLines() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return octets.isEmpty ? [] : RunnerCommands.defused(octets)
    }

    /// Appends lines that were taken before.
    mutating func append(_ lines: [UInt8]) { octets += lines }

    /// Takes what was written, as octets.
    mutating func takeOctets() -> [UInt8] {
        defer { octets.removeAll(keepingCapacity: true) }
        return RunnerCommands.defused(octets)
    }

    /// Takes what was written.
    mutating func take(_ output: any ReportOutput) {
        guard !octets.isEmpty else { return }
        output.write(RunnerCommands.defused(octets))
        octets.removeAll(keepingCapacity: true)
    }
}
