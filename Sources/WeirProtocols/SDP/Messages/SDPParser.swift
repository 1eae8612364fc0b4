import WeirPackets

extension SessionDescription {
    /// Parses a description: uses every valid line, and lists deviations from the grammar.
    package init(_ bytes: RawSpan, limits: Limits = Limits(), role: Role? = nil) {
        var parser = SDPParser(limits: limits)
        parser.read(bytes)
        self = parser.description
        self.role = role
    }

    /// Parses a description from text, for example from JSON.
    package init(_ text: String, limits: Limits = Limits(), role: Role? = nil) {
        let octets = Array(text.utf8)
        self.init(octets.rawSpan, limits: limits, role: role)
    }
}

/// Parses a description line by line.
struct SDPParser {
    var description = SessionDescription()
    let limits: Limits
    /// The current line.
    var line = SDPLine(number: 0, offset: 0, length: 0, text: "")
    /// The position in the line order of the current session or media section.
    private var rank = 0
    private var seen: [UInt8] = []
    private var lines = 0

    init(limits: Limits) {
        self.limits = limits
    }

    mutating func read(_ bytes: RawSpan) {
        readLines(bytes)
        complete()
    }

    /// Parses lines, which may be the first of a description.
    mutating func readLines(_ bytes: RawSpan) {
        var offset = 0
        var isUTF8 = true
        while offset < bytes.byteCount {
            guard lines < limits[SDPLimits.self].descriptionLines else {
                note(.tooManyLines)
                break
            }
            lines += 1
            var end = offset
            while let octet = bytes.byte(at: end), octet != ASCII.lineFeed, octet != ASCII.carriageReturn { end &+= 1 }
            let (text, valid) = TextSyntax.decode(bytes.clamped(offset, end))
            line = SDPLine(number: lines, offset: offset, length: end &- offset, text: text)
            if !valid, isUTF8 {
                isUTF8 = false
                note(.notUTF8)
            }
            let next = endOfLine(bytes, end)
            if end == offset {
                if next < bytes.byteCount { note(.emptyLine) }
            } else {
                readLine()
            }
            offset = next
        }
    }

    /// Records deviating line ends; returns the start of the next line.
    private mutating func endOfLine(_ bytes: RawSpan, _ end: Int) -> Int {
        guard let octet = bytes.byte(at: end) else {
            note(.noFinalLineEnd)
            return end
        }
        if octet == ASCII.lineFeed {
            note(.lineFeedOnly)
            return end &+ 1
        }
        if bytes.byte(at: end &+ 1) == ASCII.lineFeed { return end &+ 2 }
        // Another CR before LF belongs to the same line end.
        if bytes.byte(at: end &+ 1) == ASCII.carriageReturn, bytes.byte(at: end &+ 2) == ASCII.lineFeed {
            note(.carriageReturnOnly)
            return end &+ 3
        }
        note(.carriageReturnOnly)
        return end &+ 1
    }

    mutating func note(_ kind: SDPProblem.Kind) {
        description.problems.append(
            SDPProblem(
                kind: kind, line: line.number, offset: line.offset, length: line.length, text: line.text,
                medium: description.media.isEmpty ? nil : description.media.count - 1))
    }

    // MARK: - Single lines

    private mutating func readLine() {
        if let (letter, value) = Self.plainLine(line.text) { return add(letter, value) }
        let utf8 = line.text.utf8
        guard let equals = utf8.firstIndex(of: ASCII.equals) else {
            note(.notTypeValue)
            return
        }
        let before = TextSyntax.trim(line.text[..<equals])
        guard before.utf8.count == 1, let letter = before.utf8.first, ASCII.isLetter(letter) else {
            note(.notTypeValue)
            return
        }
        if utf8.distance(from: utf8.startIndex, to: equals) != 1 { note(.blankBeforeEquals) }
        let raw = line.text[utf8.index(after: equals)...]
        let isText = Self.textTypes.contains(letter)
        if !isText, let first = raw.utf8.first, TextSyntax.isBlank(first) { note(.blankAfterEquals) }
        if !isText, let last = raw.utf8.last, TextSyntax.isBlank(last) { note(.trailingBlank) }
        let value = isText ? String(raw) : TextSyntax.trim(raw)
        if value.isEmpty, letter != UInt8(ascii: "s") { note(.emptyValue) }
        add(letter, value)
    }

    /// Returns type and value of a line without white space at the ends of either, as nearly all; nil for others.
    private static func plainLine(_ text: String) -> (letter: UInt8, value: String)? {
        text.withOctets { octets in
            guard octets.count > 2, ASCII.isLetter(octets[0]), octets[1] == ASCII.equals,
                !TextSyntax.isTrimmed(octets[2]), !TextSyntax.isTrimmed(octets[octets.count - 1])
            else { return nil }
            return (octets[0], octets.rawSpan.clamped(2).text())
        }
    }

    private mutating func add(_ letter: UInt8, _ value: String) {
        if letter == UInt8(ascii: "m") {
            rank = 0
            seen = []
            media(value)
            return
        }
        order(letter)
        if description.media.isEmpty { session(letter, value) } else { medium(letter, value) }
    }

    /// `s=` and `i=` are free text, and so are attribute values at their end.
    private static let textTypes = Array("si".utf8)
    /// The order of RFC 8866 §9; `r` and `z` belong to the preceding `t`.
    private static let sessionOrder = Array("vosiuepcbtrzka".utf8)
    private static let mediaOrder = Array("icbka".utf8)
    private static let repeatable = Array("epbtra".utf8)

    private mutating func order(_ letter: UInt8) {
        let isSession = description.media.isEmpty
        guard let position = (isSession ? Self.sessionOrder : Self.mediaOrder).firstIndex(of: letter) else {
            note(.unknownType)
            return
        }
        if isSession, lines > 1, letter == UInt8(ascii: "v"), !seen.contains(letter) { note(.order) }
        // Another `t` may follow an `r` (§5.10).
        let isAgain = letter == UInt8(ascii: "t") && rank <= (Self.sessionOrder.firstIndex(of: UInt8(ascii: "z")) ?? 0)
        if position < rank, !isAgain, letter != UInt8(ascii: "v") { note(.order) }
        rank = max(isAgain ? position : rank, position)
        // A media section may have several `c=` lines (§5.7).
        let mayRepeat = Self.repeatable.contains(letter) || (!isSession && letter == UInt8(ascii: "c"))
        if !seen.contains(letter) {
            seen.append(letter)
        } else if !mayRepeat {
            note(.repeated)
        }
    }

    private mutating func session(_ letter: UInt8, _ value: String) {
        switch letter {
        case UInt8(ascii: "v"):
            if description.version == nil { description.version = TextSyntax.decimal(value) }
            if description.version != 0 { note(.versionNotZero) }
        case UInt8(ascii: "o"): if description.origin == nil { description.origin = origin(value) }
        case UInt8(ascii: "s"):
            if value.isEmpty { note(.nameEmpty) }
            if description.name == nil { description.name = value }
        case UInt8(ascii: "i"): if description.information == nil { description.information = value }
        case UInt8(ascii: "u"): if description.uri == nil { description.uri = value }
        case UInt8(ascii: "e"): description.emails.append(value)
        case UInt8(ascii: "p"): description.phones.append(value)
        case UInt8(ascii: "c"):
            let connection = connection(value)
            if description.connection == nil { description.connection = connection }
        case UInt8(ascii: "b"): description.bandwidths.append(bandwidth(value))
        case UInt8(ascii: "t"): time(value)
        case UInt8(ascii: "r"):
            if description.times.isEmpty {
                note(.repeatWithoutTime)
            } else {
                description.times[description.times.count - 1].repeats.append(value)
            }
        case UInt8(ascii: "z"): if description.timeZones == nil { description.timeZones = value }
        case UInt8(ascii: "k"): if description.key == nil { description.key = value }
        case UInt8(ascii: "a"):
            let attribute = attribute(value)
            if attribute.name == "rtpmap" || attribute.name == "fmtp" { note(.attributeLevel) }
            description.attributes.append(attribute)
            description.noteGroup(attribute)
        default: break
        }
    }

    private mutating func medium(_ letter: UInt8, _ value: String) {
        let index = description.media.count - 1
        guard index >= 0 else { return }
        switch letter {
        case UInt8(ascii: "i"): if description.media[index].title == nil { description.media[index].title = value }
        case UInt8(ascii: "c"):
            let connection = connection(value)
            description.media[index].connections.append(connection)
        case UInt8(ascii: "b"):
            let bandwidth = bandwidth(value)
            description.media[index].bandwidths.append(bandwidth)
        case UInt8(ascii: "k"): if description.media[index].key == nil { description.media[index].key = value }
        case UInt8(ascii: "a"):
            let attribute = attribute(value)
            check(attribute, in: description.media[index])
            description.media[index].add(attribute)
        // Session-level lines that are out of order are still used.
        case UInt8(ascii: "t"): time(value)
        case UInt8(ascii: "o"): if description.origin == nil { description.origin = origin(value) }
        case UInt8(ascii: "s"): if description.name == nil { description.name = value }
        default: break
        }
    }

    // MARK: - Missing lines

    private mutating func complete() {
        line = SDPLine(number: 0, offset: 0, length: 0, text: "")
        func missing(_ kind: SDPProblem.Kind, medium: Int? = nil) -> SDPProblem {
            SDPProblem(kind: kind, line: 0, offset: 0, length: 0, text: "", medium: medium)
        }
        if description.version == nil { description.problems.append(missing(.versionMissing)) }
        if description.origin == nil { description.problems.append(missing(.originMissing)) }
        if description.name == nil { description.problems.append(missing(.nameMissing)) }
        if description.times.isEmpty { description.problems.append(missing(.timeMissing)) }
        guard description.connection == nil else { return }
        if description.media.isEmpty { description.problems.append(missing(.connectionMissing)) }
        for (index, medium) in description.media.enumerated() where medium.connections.isEmpty {
            description.problems.append(missing(.connectionMissing, medium: index))
        }
    }
}

/// A line of a description, without its line end.
struct SDPLine {
    /// The line number, from 1.
    var number: Int
    /// The offset of the line, in bytes.
    var offset: Int
    /// The length of the line, in bytes.
    var length: Int
    /// The text of the line.
    var text: String
}
