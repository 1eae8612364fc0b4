import WeirEngine
import WeirPackets

/// The result of parsing a JSON text.
package struct JSONText: Sendable, Hashable {
    /// The value as far as it could be parsed, or nil if not even its beginning could.
    package var value: JSONNode?
    /// The deviations, in order.
    package var flaws: [JSONFlaw]
    /// Whether a limit prevented something from being parsed or reported.
    package var isPartial: Bool
    /// The length of the text in bytes, including surrounding white space.
    package var octets: Int

    /// Parses the single value in `bytes`.
    package init(_ bytes: RawSpan, limits: JSONLimits = JSONLimits()) {
        var reader = JSONReader(bytes, limits: limits)
        value = reader.text()
        flaws = reader.flaws
        isPartial = reader.isPartial
        octets = reader.offset
    }

    /// Parses a text embedded in another, such as in a string.
    package init(_ text: String, limits: JSONLimits = JSONLimits()) {
        let octets = Array(text.utf8)
        self.init(octets.rawSpan, limits: limits)
    }

    /// Whether the text was parsed completely.
    package var isWhole: Bool { value != nil && !flaws.contains { $0.isFatal || $0.kind == .trailing } }
}

/// Parses JSON (RFC 8259) leniently: deviations are recorded, and the rest is used.
struct JSONReader: ~Escapable {
    private let bytes: RawSpan
    private let limits: JSONLimits
    private(set) var offset = 0
    private(set) var flaws: [JSONFlaw] = []
    /// Whether a limit was reached.
    private(set) var isPartial = false
    private var values = 0
    /// Whether parsing stopped at an unrecoverable error.
    private var isBroken = false

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the value; records data before or after it.
    mutating func text() -> JSONNode? {
        if bytes.byte(at: 0) == 0xEF, bytes.byte(at: 1) == 0xBB, bytes.byte(at: 2) == 0xBF {
            note(.byteOrderMark)
            offset = 3
        }
        skipBlanks()
        let node = value(depth: 0)
        skipBlanks()
        if !isBroken, offset < bytes.byteCount { note(.trailing) }
        return node
    }

    private mutating func note(_ kind: JSONFlaw.Kind, at place: Int? = nil, name: String? = nil) {
        guard flaws.count < limits.flaws else {
            isPartial = true
            return
        }
        flaws.append(JSONFlaw(kind: kind, offset: place ?? offset, name: name))
    }

    private mutating func stop(_ kind: JSONFlaw.Kind) {
        if !isBroken { note(offset >= bytes.byteCount && kind == .syntax ? .unfinished : kind) }
        isBroken = true
    }

    private mutating func skipBlanks() {
        while let octet = bytes.byte(at: offset), Self.isBlank(octet) { offset &+= 1 }
    }

    /// Whether the byte is a space, tab, line feed or carriage return (§2).
    static func isBlank(_ octet: UInt8) -> Bool {
        octet == ASCII.space || octet == ASCII.tab || octet == ASCII.lineFeed || octet == ASCII.carriageReturn
    }

    // MARK: - Values

    private mutating func value(depth: Int) -> JSONNode? {
        guard depth < limits.depth else {
            isPartial = true
            stop(.depth)
            return nil
        }
        values &+= 1
        guard values <= limits.values else {
            isPartial = true
            stop(.size)
            return nil
        }
        let start = offset
        guard let octet = bytes.byte(at: offset) else {
            stop(.unfinished)
            return nil
        }
        let content: JSONNode.Content?
        switch octet {
        case UInt8(ascii: "{"): content = object(depth)
        case UInt8(ascii: "["): content = array(depth)
        case ASCII.quote: content = string().map { .string($0) }
        case UInt8(ascii: "t"): content = word("true", .bool(true))
        case UInt8(ascii: "f"): content = word("false", .bool(false))
        case UInt8(ascii: "n"): content = word("null", .null)
        default: content = number()
        }
        return content.map { JSONNode($0, start..<offset) }
    }

    private mutating func word(_ word: String, _ content: JSONNode.Content) -> JSONNode.Content? {
        for octet in word.utf8 {
            guard bytes.byte(at: offset) == octet else {
                stop(.syntax)
                return nil
            }
            offset &+= 1
        }
        return content
    }

    /// Parses a number (§6); numbers of other forms, which some writers send, are kept as written.
    private mutating func number() -> JSONNode.Content? {
        let start = offset
        while let octet = bytes.byte(at: offset), Self.isNumber(octet) { offset &+= 1 }
        let text = bytes.clamped(start, offset).text()
        guard !text.isEmpty else {
            stop(.syntax)
            return nil
        }
        if !Self.isWellFormed(text) {
            // An unquoted name is not a malformed number.
            guard Double(text) != nil || text.utf8.allSatisfy({ !ASCII.isLetter($0) }) else {
                offset = start
                stop(.syntax)
                return nil
            }
            note(.number, at: start)
        }
        return .number(text)
    }

    private static func isNumber(_ octet: UInt8) -> Bool {
        ASCII.isDigit(octet) || ASCII.isLetter(octet) || octet == 0x2B || octet == 0x2D || octet == 0x2E
    }

    /// Whether the text has the form `[ "-" ] int [ frac ] [ exp ]`.
    private static func isWellFormed(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        if rest.first == 0x2D { rest.removeFirst() }
        guard let first = rest.first, ASCII.isDigit(first) else { return false }
        let whole = rest.prefix(while: ASCII.isDigit)
        if first == 0x30, whole.count > 1 { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == 0x2E {
            let fraction = rest.dropFirst().prefix(while: ASCII.isDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let mark = rest.first else { return true }
        guard mark | 0x20 == 0x65 else { return false }
        rest = rest.dropFirst()
        if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
        return !rest.isEmpty && rest.allSatisfy(ASCII.isDigit)
    }

    // MARK: - Arrays and objects

    private mutating func array(_ depth: Int) -> JSONNode.Content? {
        offset &+= 1
        var elements: [JSONNode] = []
        skipBlanks()
        while !isBroken {
            if bytes.byte(at: offset) == UInt8(ascii: "]") {
                if !elements.isEmpty { note(.strayComma) }
                offset &+= 1
                return .array(elements)
            }
            if let element = value(depth: depth &+ 1) { elements.append(element) }
            guard !isBroken else { break }
            skipBlanks()
            if goesOn(UInt8(ascii: "]")) { return .array(elements) }
        }
        return .array(elements)
    }

    private mutating func object(_ depth: Int) -> JSONNode.Content? {
        offset &+= 1
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        skipBlanks()
        while !isBroken {
            if bytes.byte(at: offset) == UInt8(ascii: "}") {
                if !members.isEmpty { note(.strayComma) }
                offset &+= 1
                return .object(members)
            }
            let start = offset
            guard bytes.byte(at: offset) == ASCII.quote, let name = string() else {
                stop(.syntax)
                break
            }
            if !names.insert(name).inserted { note(.repeatedName, at: start, name: name) }
            skipBlanks()
            guard bytes.byte(at: offset) == ASCII.colon else {
                stop(.syntax)
                break
            }
            offset &+= 1
            skipBlanks()
            if let value = value(depth: depth &+ 1) { members.append(.init(name: name, value: value)) }
            guard !isBroken else { break }
            skipBlanks()
            if goesOn(UInt8(ascii: "}")) { return .object(members) }
        }
        return .object(members)
    }

    /// Skips a comma or the closing bracket `end`; returns whether it was the bracket.
    private mutating func goesOn(_ end: UInt8) -> Bool {
        guard let octet = bytes.byte(at: offset) else {
            stop(.unfinished)
            return false
        }
        if octet == end {
            offset &+= 1
            return true
        }
        guard octet == ASCII.comma else {
            stop(.syntax)
            return false
        }
        offset &+= 1
        skipBlanks()
        return false
    }

    // MARK: - Strings

    /// Parses a string after its opening quotation mark, resolving escapes; returns nil if its end is missing.
    private mutating func string() -> String? {
        let start = offset
        offset &+= 1
        var octets: [UInt8] = []
        var plain = offset
        while let octet = bytes.byte(at: offset) {
            if octet == ASCII.quote {
                bytes.clamped(plain, offset).append(to: &octets)
                offset &+= 1
                if let text = String(validating: octets, as: UTF8.self) { return text }
                note(.notUTF8, at: start)
                return String(decoding: octets, as: UTF8.self)
            }
            if octet < 0x20, flaws.last?.kind != .controlCharacter { note(.controlCharacter) }
            guard octet == 0x5C else {
                offset &+= 1
                continue
            }
            bytes.clamped(plain, offset).append(to: &octets)
            escape(&octets)
            plain = offset
        }
        stop(.unfinished)
        return nil
    }

    /// Parses one escape, or a surrogate pair of escapes (§7).
    private mutating func escape(_ octets: inout [UInt8]) {
        let start = offset
        let letter = bytes.byte(at: offset &+ 1)
        offset = min(offset &+ 2, bytes.byteCount)
        switch letter {
        case ASCII.quote, 0x5C, ASCII.slash: octets.append(letter ?? 0)
        case UInt8(ascii: "b"): octets.append(0x08)
        case UInt8(ascii: "f"): octets.append(0x0C)
        case UInt8(ascii: "n"): octets.append(ASCII.lineFeed)
        case UInt8(ascii: "r"): octets.append(ASCII.carriageReturn)
        case UInt8(ascii: "t"): octets.append(ASCII.tab)
        case UInt8(ascii: "u"): octets.append(contentsOf: Array(String(character(start)).utf8))
        default:
            note(.escape, at: start)
            if let letter { octets.append(letter) }
        }
    }

    private mutating func character(_ start: Int) -> Character {
        let replacement: Character = "\u{FFFD}"
        guard let high = hexadecimal() else {
            note(.escape, at: start)
            return replacement
        }
        if let scalar = Unicode.Scalar(high) { return Character(scalar) }
        guard high < 0xDC00, bytes.byte(at: offset) == 0x5C, bytes.byte(at: offset &+ 1) == UInt8(ascii: "u") else {
            note(.escape, at: start)
            return replacement
        }
        let second = offset
        offset &+= 2
        guard let low = hexadecimal(), (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else {
            offset = second
            note(.escape, at: start)
            return replacement
        }
        return Character(scalar)
    }

    /// Parses four hexadecimal digits.
    private mutating func hexadecimal() -> UInt32? {
        let digits = bytes.clamped(offset, offset &+ 4)
        guard digits.byteCount == 4, let number = TextSyntax.hexadecimal(digits.text(), as: UInt32.self) else {
            return nil
        }
        offset &+= 4
        return number
    }
}
