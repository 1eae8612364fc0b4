import WeirEngine
public import WeirPackets

/// One header field of a text message.
public struct HeaderField: Sendable, Hashable {
    /// The name as sent; compare it without regard to case.
    public var name: String
    /// The value without the blanks around it; a folded value has a single blank at each fold.
    public var value: String
    /// Where it stands, in octets from the start of the block, without its line end.
    public var range: Range<Int>
    /// It runs over several lines.
    public var isFolded: Bool
    /// A blank stands between the name and the colon.
    public var hasBlankBeforeColon: Bool
    /// The value as sent ends in a blank.
    public var hasTrailingBlank: Bool
}

/// Start line and header fields: the syntax that RTSP (RFC 2326 §4), HTTP (RFC 2068 §4) and SIP share.
///
/// It reads what peers send, and keeps what was unusual about it: lines that end in a bare LF or CR, line ends before
/// the start line, folding, lines without a colon, octets that are not UTF-8.
public struct HeaderBlock: Sendable, Equatable {
    /// How the lines of a block end.
    public struct LineEndings: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// CR LF, as the specifications ask for.
        public static let crlf = Self(rawValue: 1)
        /// LF alone.
        public static let lineFeed = Self(rawValue: 2)
        /// CR alone, or more than one CR before LF.
        public static let carriageReturn = Self(rawValue: 4)
    }

    /// What reading a block led to.
    public enum Result: Sendable, Equatable {
        /// The block is complete.
        case complete(HeaderBlock)
        /// The block's end is not among these bytes.
        case needMore
        /// It is no header block, in words.
        case malformed(String)
    }

    /// The first line, without blanks around it.
    public var startLine: String
    /// Where the first line stands, in octets from the start of the block, without its line end.
    public var startLineRange: Range<Int>
    /// The fields, in the order sent.
    public var fields: [HeaderField]
    /// Lines that are no field: no colon, no name, or a continuation of nothing.
    public var strayLines: [Range<Int>]
    /// How the lines end.
    public var lineEndings: LineEndings
    /// Octets of line ends before the start line.
    public var leadingOctets: Int
    /// Octets in all, from the leading line ends to the end of the blank line.
    public var octets: Int
    /// Fields beyond the limit, which are not kept.
    public var unkept = 0
    /// The octets from the start line on in one number: another one is another block.
    var digest: UInt64 = 0
    /// Whether the octets are UTF-8; if not, they were read as ISO 8859-1.
    public var isUTF8: Bool

    /// Why a block is not read that is longer than the limit.
    static let tooLong = "the header is longer than the limit"

    /// The value of the first field called `name`, whatever its case.
    public func first(_ name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The first field called `name`, whatever its case.
    public func field(_ name: String) -> HeaderField? {
        index(of: name).map { fields[$0] }
    }

    private func index(of name: String) -> Int? {
        for index in fields.indices where ASCII.equalIgnoringCase(fields[index].name, name) { return index }
        return nil
    }

    /// The values of all fields called `name`, in the order sent.
    public func all(_ name: String) -> [String] {
        var values: [String] = []
        for field in fields where ASCII.equalIgnoringCase(field.name, name) { values.append(field.value) }
        return values
    }

    /// Reads the block that `bytes` begin with.
    public static func parse(_ bytes: RawSpan, limits: Limits = Limits()) -> Result {
        var reader = HeaderBlockReader(limits: limits)
        return reader.parse(bytes)
    }
}

/// Reads one block, line by line.
private struct HeaderBlockReader {
    let limits: Limits
    var block = HeaderBlock(
        startLine: "", startLineRange: 0..<0, fields: [], strayLines: [], lineEndings: [], leadingOctets: 0, octets: 0,
        isUTF8: true)
    /// The start line ended in a bare CR, so that a bare CR ends lines here; else it belongs to a value.
    var bareCarriageReturns = false

    enum Line {
        case ended(content: Int, next: Int)
        case needMore
    }

    mutating func parse(_ bytes: RawSpan) -> HeaderBlock.Result {
        var offset = 0
        while let octet = bytes.byte(at: offset), octet == ASCII.carriageReturn || octet == ASCII.lineFeed {
            offset &+= 1
        }
        guard offset <= limits.headerOctets else { return .malformed("nothing but line ends") }
        block.leadingOctets = offset
        guard case .ended(let content, let next) = line(bytes, from: offset, isStartLine: true) else {
            return unfinished(bytes)
        }
        block.startLineRange = offset..<content
        block.startLine = text(bytes, offset, content)
        offset = next
        while true {
            guard case .ended(let content, let next) = line(bytes, from: offset, isStartLine: false) else {
                return unfinished(bytes)
            }
            guard next <= limits.headerOctets else { return .malformed(HeaderBlock.tooLong) }
            if content == offset {
                block.octets = next
                block.digest = Self.digest(bytes.clamped(block.leadingOctets, next))
                return .complete(block)
            }
            if block.fields.count &+ block.strayLines.count < limits.headerFields {
                field(bytes, offset, content)
            } else {
                block.unkept &+= 1
            }
            offset = next
        }
    }

    /// FNV-1a, eight octets at a time.
    private static func digest(_ bytes: RawSpan) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var offset = 0
        while let word = bytes.uint64(at: offset) {
            hash = (hash ^ word) &* 0x100_0000_01b3
            hash ^= hash >> 32
            offset &+= 8
        }
        while let octet = bytes.byte(at: offset) {
            hash = (hash ^ UInt64(octet)) &* 0x100_0000_01b3
            offset &+= 1
        }
        return hash
    }

    private func unfinished(_ bytes: RawSpan) -> HeaderBlock.Result {
        bytes.byteCount > limits.headerOctets ? .malformed(HeaderBlock.tooLong) : .needMore
    }

    /// Where the line that begins at `start` ends. CR LF and LF always end it; CR LF may have further CRs before it; a
    /// bare CR ends the start line, and other lines when the start line ended so.
    private mutating func line(_ bytes: RawSpan, from start: Int, isStartLine: Bool) -> Line {
        var offset = start
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
            // Whether LF follows is not known yet; but where bare CRs end lines there is nothing to wait for.
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
        block.fields.append(
            HeaderField(
                name: text(bytes, start, nameEnd), value: text(bytes, colon &+ 1, end), range: start..<end,
                isFolded: false, hasBlankBeforeColon: nameEnd < colon, hasTrailingBlank: trailing))
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
