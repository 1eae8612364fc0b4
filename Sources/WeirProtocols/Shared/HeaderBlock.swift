import WeirEngine
public import WeirPackets

/// One header field of a text message.
public struct HeaderField: Sendable, Hashable {
    /// The name as sent; case-insensitive.
    public let name: String
    /// The value without surrounding white space; each fold is replaced by a single space.
    public var value: String
    /// The byte range in the block, without the line end.
    public var range: Range<Int>
    /// Whether the value is folded over several lines.
    public var isFolded: Bool
    /// Whether white space precedes the colon.
    public var hasBlankBeforeColon: Bool
    /// Whether the value as sent ends with white space.
    public var hasTrailingBlank: Bool
    /// The key of the name.
    let key: UInt32
    /// The specified name that it is, ignoring case.
    let header: HeaderName?
    /// Whether the name is spelled as specified, if it is.
    let isSpelled: Bool

    /// Creates a field whose name is spelled as specified.
    init(
        _ header: HeaderName, value: String, range: Range<Int>, hasBlankBeforeColon: Bool, hasTrailingBlank: Bool
    ) {
        self.init(
            name: header.text, header, isSpelled: true, value: value, range: range,
            hasBlankBeforeColon: hasBlankBeforeColon, hasTrailingBlank: hasTrailingBlank)
    }

    /// Creates a field with any name.
    init(
        name: String, value: String, range: Range<Int>, hasBlankBeforeColon: Bool, hasTrailingBlank: Bool
    ) {
        let header = HeaderName(name)
        self.init(
            name: name, header, isSpelled: header?.text == name, value: value, range: range,
            hasBlankBeforeColon: hasBlankBeforeColon, hasTrailingBlank: hasTrailingBlank)
    }

    private init(
        name: String, _ header: HeaderName?, isSpelled: Bool, value: String, range: Range<Int>,
        hasBlankBeforeColon: Bool, hasTrailingBlank: Bool
    ) {
        self.name = name
        self.value = value
        self.range = range
        isFolded = false
        self.hasBlankBeforeColon = hasBlankBeforeColon
        self.hasTrailingBlank = hasTrailingBlank
        self.header = header
        self.isSpelled = isSpelled
        key = Self.key(of: name)
    }

    /// Returns length and first letter of a name in one number, ignoring case: most names differ in it.
    static func key(of name: String) -> UInt32 {
        let octets = name.utf8
        let first = octets.isEmpty ? 0 : octets[octets.startIndex]
        return UInt32(truncatingIfNeeded: octets.count) << 16 | UInt32(ASCII.lowercased(first))
    }
}

/// Start line and header fields, in the common syntax of RTSP (RFC 2326 §4), HTTP (RFC 2068 §4) and SIP.
///
/// Parsing is lenient and records deviations: lines that end in a bare LF or CR, line ends before the start line,
/// folding, lines without a colon, invalid UTF-8.
public struct HeaderBlock: Sendable, Equatable {
    /// The line ends used in a block.
    public struct LineEndings: OptionSet, Sendable, Hashable {
        /// The raw bits.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// CRLF, as specified.
        public static let crlf = Self(rawValue: 1)
        /// LF alone.
        public static let lineFeed = Self(rawValue: 2)
        /// CR alone, or more than one CR before LF.
        public static let carriageReturn = Self(rawValue: 4)
    }

    /// The result of parsing a block.
    public enum Result: Sendable, Equatable {
        /// The block is complete.
        case complete(HeaderBlock)
        /// The end of the block is not in these bytes.
        case needMore
        /// The bytes are not a header block, with the reason.
        case malformed(String)
    }

    /// The start line, without surrounding white space.
    public var startLine: String
    /// The byte range of the start line in the block, without the line end.
    public var startLineRange: Range<Int>
    /// The fields, in order.
    public var fields: [HeaderField]
    /// Lines that are not fields: without colon or name, or a continuation of nothing.
    public var strayLines: [Range<Int>]
    /// The line ends used.
    public var lineEndings: LineEndings
    /// Length of line ends before the start line, in bytes.
    public var leadingOctets: Int
    /// Total length, in bytes, from the leading line ends to the end of the empty line.
    public var octets: Int
    /// Number of fields dropped beyond the limit.
    public var unkept = 0
    /// A hash of the bytes from the start line on; equal blocks have equal hashes.
    var digest: UInt64 = 0
    /// Whether the bytes are valid UTF-8; otherwise they were decoded as ISO 8859-1.
    public var isUTF8: Bool

    /// The reason for rejecting a block longer than the limit.
    static let tooLong = "the header is longer than the limit"

    /// Returns the value of the first field named `name`, ignoring case.
    public func first(_ name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// Returns the first field named `name`, ignoring case.
    public func field(_ name: String) -> HeaderField? {
        index(of: name).map { fields[$0] }
    }

    private func index(of name: String) -> Int? {
        let key = HeaderField.key(of: name)
        return fields.indices.first { fields[$0].key == key && isNamed($0, name) }
    }

    /// Returns the index of the first field with a name.
    func index(of name: HeaderName) -> Int? {
        for index in fields.indices where fields[index].header == name { return index }
        return nil
    }

    /// Returns the value of the first field with a name.
    func first(_ name: HeaderName) -> String? {
        guard let index = index(of: name) else { return nil }
        return fields[index].value
    }

    /// Returns the values of all fields with a name, in order.
    func all(_ name: HeaderName) -> [String] {
        var values: [String] = []
        for index in fields.indices where fields[index].header == name { values.append(fields[index].value) }
        return values
    }

    /// Returns the values of all fields named `name`, in order.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        let key = HeaderField.key(of: name)
        for index in fields.indices where fields[index].key == key && isNamed(index, name) {
            values.append(fields[index].value)
        }
        return values
    }

    /// Whether a field has a name, ignoring case. Most are spelled alike.
    private func isNamed(_ index: Int, _ name: String) -> Bool {
        fields[index].name == name || ASCII.equalIgnoringCase(fields[index].name, name)
    }

    /// Parses the block at the start of `bytes`.
    public static func parse(_ bytes: RawSpan, limits: Limits = Limits()) -> Result {
        var reader = HeaderBlockReader(limits)
        return reader.parse(bytes)
    }
}

/// Parses one block line by line.
private struct HeaderBlockReader {
    private let mostOctets: Int
    private let mostFields: Int
    var block = HeaderBlock(
        startLine: "", startLineRange: 0..<0, fields: [], strayLines: [], lineEndings: [], leadingOctets: 0, octets: 0,
        isUTF8: true)
    /// Whether the start line ended in a bare CR, so that a bare CR ends lines; otherwise it is part of a value.
    var bareCarriageReturns = false

    init(_ limits: borrowing Limits) { (mostOctets, mostFields) = (limits.headerOctets, limits.headerFields) }

    enum Line {
        case ended(content: Int, next: Int)
        case needMore
    }

    mutating func parse(_ bytes: RawSpan) -> HeaderBlock.Result {
        var offset = 0
        while let octet = bytes.byte(at: offset), octet == ASCII.carriageReturn || octet == ASCII.lineFeed {
            offset &+= 1
        }
        guard offset <= mostOctets else { return .malformed("only line breaks") }
        block.leadingOctets = offset
        guard case .ended(let content, let next) = line(bytes, from: offset, isStartLine: true) else {
            return unfinished(bytes)
        }
        block.startLineRange = offset..<content
        block.startLine = text(bytes, offset, content)
        block.fields.reserveCapacity(7)
        offset = next
        while true {
            guard case .ended(let content, let next) = line(bytes, from: offset, isStartLine: false) else {
                return unfinished(bytes)
            }
            guard next <= mostOctets else { return .malformed(HeaderBlock.tooLong) }
            if content == offset {
                block.octets = next
                block.digest = bytes.clamped(block.leadingOctets, next).digest
                return .complete(block)
            }
            if block.fields.count &+ block.strayLines.count < mostFields {
                field(bytes, offset, content)
            } else {
                block.unkept &+= 1
            }
            offset = next
        }
    }

    private func unfinished(_ bytes: RawSpan) -> HeaderBlock.Result {
        bytes.byteCount > mostOctets ? .malformed(HeaderBlock.tooLong) : .needMore
    }

    /// Returns the end of the line that starts at `start`. CRLF, also with further CRs before it, and LF always end a
    /// line; a bare CR ends the start line, and other lines if the start line ended so.
    private mutating func line(_ bytes: RawSpan, from start: Int, isStartLine: Bool) -> Line {
        var offset = bytes.nextControl(from: start)
        while let octet = bytes.byte(at: offset) {
            if octet == ASCII.lineFeed {
                block.lineEndings.insert(.lineFeed)
                return .ended(content: offset, next: offset &+ 1)
            }
            guard octet == ASCII.carriageReturn else {
                offset &+= 1
                continue
            }
            var run = offset &+ 1
            while bytes.byte(at: run) == ASCII.carriageReturn { run &+= 1 }
            let after = bytes.byte(at: run)
            if after == ASCII.lineFeed {
                block.lineEndings.insert(.crlf)
                if run > offset &+ 1 { block.lineEndings.insert(.carriageReturn) }
                return .ended(content: offset, next: run &+ 1)
            }
            // An LF may follow; where bare CRs end lines, there is no need to wait for it.
            if after == nil, !bareCarriageReturns { return .needMore }
            block.lineEndings.insert(.carriageReturn)
            if isStartLine { bareCarriageReturns = true }
            if isStartLine || bareCarriageReturns { return .ended(content: offset, next: offset &+ 1) }
            offset = run
        }
        return .needMore
    }

    private mutating func field(_ bytes: RawSpan, _ start: Int, _ end: Int) {
        if let first = bytes.byte(at: start), TextSyntax.isBlank(first) {
            guard var last = block.fields.popLast() else {
                block.strayLines.append(start..<end)
                return
            }
            let more = text(bytes, start, end)
            last.value = last.value.isEmpty ? more : more.isEmpty ? last.value : last.value + " " + more
            last.range = last.range.lowerBound..<end
            last.isFolded = true
            last.hasTrailingBlank = bytes.byte(at: end &- 1).map(TextSyntax.isBlank) ?? false
            block.fields.append(last)
            return
        }
        var colon = start
        while colon < end, bytes.byte(at: colon) != ASCII.colon { colon &+= 1 }
        var nameEnd = colon
        while nameEnd > start, bytes.byte(at: nameEnd &- 1).map(TextSyntax.isBlank) ?? false { nameEnd &-= 1 }
        guard colon < end, nameEnd > start else {
            block.strayLines.append(start..<end)
            return
        }
        let trailing = end &- 1 > colon ? bytes.byte(at: end &- 1).map(TextSyntax.isBlank) ?? false : false
        let hasBlank = nameEnd < colon
        if let header = HeaderName(spelled: bytes, at: start, count: nameEnd &- start) {
            block.fields.append(
                HeaderField(
                    header, value: text(bytes, colon &+ 1, end), range: start..<end, hasBlankBeforeColon: hasBlank,
                    hasTrailingBlank: trailing))
        } else {
            block.fields.append(
                HeaderField(
                    name: text(bytes, start, nameEnd), value: text(bytes, colon &+ 1, end), range: start..<end,
                    hasBlankBeforeColon: hasBlank, hasTrailingBlank: trailing))
        }
    }

    private mutating func text(_ bytes: RawSpan, _ start: Int, _ end: Int) -> String {
        var (start, end) = (start, end)
        while start < end, let octet = bytes.byte(at: start), TextSyntax.isTrimmed(octet) { start &+= 1 }
        while start < end, let octet = bytes.byte(at: end &- 1), TextSyntax.isTrimmed(octet) { end &-= 1 }
        let (text, isUTF8) = TextSyntax.decode(bytes.clamped(start, end))
        if !isUTF8 { block.isUTF8 = false }
        return text
    }
}
