import WeirPackets

/// Finds the messages in one direction of a TCP connection.
struct SignalingReader {
    /// The next element of the stream.
    enum Next {
        /// A JSON text: the range of the message including header and delimiter, and that of the text.
        case text(whole: Range<Int>, text: Range<Int>)
        /// Plain text, with the same ranges; empty if the length in a header is 0.
        case words(whole: Range<Int>, text: Range<Int>)
        /// Octets to skip, between messages.
        case skip(Int)
        /// An incomplete message, and its total length if known.
        case needMore(Int)
        /// Octets that do not start a message.
        case lost
    }

    /// The framing, or nil before the first message.
    private(set) var framing: SignalingFraming?
    /// The framing fault of the current message.
    private(set) var fault: FramingFault?
    /// Whether the framing is certain: set by a profile, or confirmed by the end of a message.
    private var isCertain = false
    private var extent = JSONExtent()
    /// Octets of the current text already searched for its end.
    private var looked = 0
    /// The unfinished text that a search found: its offset from the reported position, and the extent searched so far.
    private var begun: (lead: Int, extent: JSONExtent)?
    /// Whether the delimiter of the previous message is pending.
    private var awaitsEnd = false
    private let headerOctets: Int
    private let longest: Int

    init(framing: SignalingFraming?, limits: Limits) {
        self.framing = framing
        isCertain = framing != nil
        headerOctets = limits[SignalingLimits.self].headerOctets
        longest = limits.messageOctets
    }

    /// Discards the current message after missing octets.
    mutating func restart() {
        beginText()
        begun = nil
        fault = nil
        awaitsEnd = false
    }

    private mutating func beginText() {
        extent = JSONExtent()
        looked = 0
    }

    /// Returns the element at `start`.
    mutating func next(_ bytes: RawSpan, at start: Int) -> Next {
        fault = nil
        guard let first = bytes.byte(at: start) else { return .needMore(0) }
        if case .length(let header) = framing { return next(header, bytes, start) }
        if let passed = separators(bytes, start), passed > 0 { return .skip(passed) }
        if first == 0xEF, bytes.byteCount &- start < 4 { return .needMore(4) }
        if Self.opens(first) && Self.begins(bytes, at: start) || Self.mark(bytes, start) > 0 {
            return text(bytes, start, headerAt: start)
        }
        // A line, or text terminated by NUL, may be a keyword such as `ping`.
        if isCertain { return words(bytes, start) }
        return opening(bytes, start)
    }

    /// Returns the length of a byte order mark before an object or an array (RFC 8259 §8.1: a fault that parsers may
    /// ignore).
    static func mark(_ bytes: RawSpan, _ start: Int) -> Int {
        guard bytes.byte(at: start) == 0xEF, bytes.byte(at: start &+ 1) == 0xBB, bytes.byte(at: start &+ 2) == 0xBF,
            bytes.byte(at: start &+ 3).map(opens) == true
        else { return 0 }
        return 3
    }

    /// Returns the number of blanks and NULs between messages, which indicate the framing.
    private mutating func separators(_ bytes: RawSpan, _ start: Int) -> Int? {
        guard extent.isFresh else { return nil }
        var end = start
        while let octet = bytes.byte(at: end), JSONReader.isBlank(octet) || octet == 0, framing != nil || octet != 0 {
            if octet == ASCII.lineFeed || octet == 0 { awaitsEnd = false }
            if !isCertain, framing != nil, octet == ASCII.lineFeed || octet == 0 {
                framing = octet == 0 ? .nul : .newline
                isCertain = true
            }
            end &+= 1
        }
        // A blank may be the first octet of a length, unless it is known that there is none.
        if framing == nil, let octet = bytes.byte(at: end), !Self.opens(octet) { return 0 }
        return end < bytes.byteCount || framing != nil ? end &- start : 0
    }

    /// Whether an octet opens an object or an array.
    static func opens(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") }

    // MARK: - The first message

    /// Finds the header of the first message, once its text is available.
    private mutating func opening(_ bytes: RawSpan, _ start: Int) -> Next {
        guard let text = Self.firstText(bytes, from: start, within: headerOctets) else {
            return bytes.byteCount &- start > headerOctets ? .lost : .needMore(0)
        }
        return self.text(bytes, text, headerAt: start)
    }

    /// Returns the position of the first object or array after a header.
    static func firstText(_ bytes: RawSpan, from start: Int, within octets: Int) -> Int? {
        var offset = start
        while offset <= start &+ octets {
            if let word = bytes.uint64(at: offset), hasNoBracket(word) {
                offset &+= 8
                continue
            }
            guard let octet = bytes.byte(at: offset) else { return nil }
            if opens(octet), begins(bytes, at: offset) {
                return offset > start && isOfLength(bytes, offset, from: start) ? offset &+ 1 : offset
            }
            offset &+= 1
        }
        return nil
    }

    /// Whether none of eight octets opens an object or an array: the two brackets differ in one bit, so that both become zero.
    private static func hasNoBracket(_ word: UInt64) -> Bool {
        let rest = word | 0x2020_2020_2020_2020 ^ 0x7B7B_7B7B_7B7B_7B7B
        return (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080 == 0
    }

    /// Whether a bracket is the last octet of a length: `[` is 91, and the object behind it may have that length.
    private static func isOfLength(_ bytes: RawSpan, _ bracket: Int, from start: Int) -> Bool {
        let text = bracket &+ 1
        guard bytes.byte(at: bracket) == UInt8(ascii: "["), bytes.byte(at: text) == UInt8(ascii: "{") else {
            return false
        }
        var extent = JSONExtent()
        switch extent.end(bytes, from: text) {
        case .end(let end):
            return (0...2).contains { trail in
                LengthHeader.infer(bytes, from: start, text: text, length: end &- text &+ trail) != nil
            }
        case .needMore:
            return LengthHeader.mayFit(
                bytes, from: start, text: text, atLeast: bytes.byteCount &- text, atMost: Int(Int32.max))
        case .none: return false
        }
    }

    /// Whether an opening bracket may start JSON: followed by the first member, an element, or the end. Octets not yet
    /// available count as a match.
    static func begins(_ bytes: RawSpan, at start: Int) -> Bool {
        let isObject = bytes.byte(at: start) == UInt8(ascii: "{")
        var offset = start &+ 1
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &+= 1 }
        guard let octet = bytes.byte(at: offset) else { return true }
        if octet == ASCII.quote { return true }
        if isObject { return octet == UInt8(ascii: "}") }
        return octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") || octet == UInt8(ascii: "]")
    }

    /// Finds a text that ends at its matching bracket.
    private mutating func text(_ bytes: RawSpan, _ start: Int, headerAt header: Int) -> Next {
        if framing == .nul, isCertain {
            if let end = bytes.firstOffset(of: 0, from: start &+ looked) {
                beginText()
                return .text(whole: header..<end &+ 1, text: start..<end)
            }
            looked = bytes.byteCount &- start
        }
        switch extent.end(bytes, from: start &+ Self.mark(bytes, start)) {
        case .end(let end):
            beginText()
            if awaitsEnd { fault = unended }
            awaitsEnd = false
            if framing == nil || header < start { infer(bytes, header, start, end) }
            return .text(whole: header..<closing(bytes, end), text: start..<end)
        case .needMore:
            guard let end = brokenLine(bytes, start) else { return .needMore(0) }
            beginText()
            return .text(whole: header..<end, text: start..<end)
        case .none:
            beginText()
            return .lost
        }
    }

    /// Infers the framing from the first message.
    private mutating func infer(_ bytes: RawSpan, _ header: Int, _ start: Int, _ end: Int) {
        if header < start {
            // A length may include the line end after the text.
            var feeds = 0
            while feeds < 2, let octet = bytes.byte(at: end &+ feeds),
                octet == ASCII.carriageReturn || octet == ASCII.lineFeed
            {
                feeds &+= 1
            }
            for trail in [feeds, 0, 1] {
                guard let found = LengthHeader.infer(bytes, from: header, text: start, length: end &- start &+ trail)
                else { continue }
                framing = .length(found)
                isCertain = true
                return
            }
            fault = .skipped(start &- header)
        }
        var offset = end
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet), octet != ASCII.lineFeed { offset &+= 1 }
        switch bytes.byte(at: offset) {
        case ASCII.lineFeed: framing = .newline
        case 0: framing = .nul
        default: framing = .concatenated
        }
        isCertain = offset < bytes.byteCount && framing != .concatenated
    }

    /// Returns the end of a message whose text ends at `end`: after the line feed or the NUL.
    private mutating func closing(_ bytes: RawSpan, _ end: Int) -> Int {
        guard framing == .newline || framing == .nul else { return end }
        var offset = end
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) || octet == 0 {
            offset &+= 1
            if octet == ASCII.lineFeed || octet == 0 { return offset }
        }
        // The next message shows whether the delimiter is missing.
        awaitsEnd = isCertain
        return end
    }

    private var unended: FramingFault { .unended(framing == .nul ? "NUL" : "LF") }

    /// Returns the end of a line with malformed JSON: the next line starts a message although brackets are still open.
    private mutating func brokenLine(_ bytes: RawSpan, _ start: Int) -> Int? {
        guard framing == .newline, isCertain else { return nil }
        while let feed = bytes.firstOffset(of: ASCII.lineFeed, from: start &+ looked) {
            let next = feed &+ 1
            looked = feed &- start
            guard next &+ 1 < bytes.byteCount else { return nil }
            if bytes.byte(at: next) == UInt8(ascii: "{"), bytes.byte(at: next &+ 1) == ASCII.quote { return next }
            looked = next &- start
        }
        looked = bytes.byteCount &- start
        return nil
    }

    // MARK: - Plain text

    /// Finds text between line feeds or NULs.
    private func words(_ bytes: RawSpan, _ start: Int) -> Next {
        guard framing == .newline || framing == .nul else { return .lost }
        let end = framing == .nul ? UInt8(0) : ASCII.lineFeed
        guard let found = bytes.firstOffset(of: end, from: start) else {
            return bytes.byteCount &- start > 256 ? .lost : .needMore(0)
        }
        return found &- start <= 256 ? .words(whole: start..<found &+ 1, text: start..<found) : .lost
    }

    // MARK: - Length headers

    private mutating func next(_ header: LengthHeader, _ bytes: RawSpan, _ start: Int) -> Next {
        guard bytes.byteCount &- start >= header.octets else { return .needMore(header.octets) }
        guard let length = header.body(bytes, at: start), length <= longest else { return .lost }
        let text = start &+ header.octets
        guard length > 0 else { return .words(whole: start..<text, text: text..<text) }
        guard let first = bytes.byte(at: text) else { return .needMore(header.octets &+ length) }
        let end = text &+ length
        var offset = text
        // Blanks after the message belong to the next one.
        while offset < end, let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &+= 1 }
        let mark = Self.mark(bytes, offset)
        let begin = offset < end ? bytes.byte(at: offset &+ mark) ?? first : first
        let isJSON = Self.opens(begin)
        guard isJSON || length <= 256 else { return .lost }
        guard end <= bytes.byteCount else { return .needMore(header.octets &+ length) }
        guard isJSON else { return .words(whole: start..<end, text: text..<end) }
        var extent = JSONExtent()
        switch extent.end(bytes, from: offset &+ mark) {
        case .end(let found) where found != end:
            // One extra octet may be a NUL or a line feed included in the length.
            let rest = bytes.clamped(found, end)
            if found > end || !Self.isBlank(rest) { fault = .length(said: length, found: found &- text) }
            return .text(whole: start..<max(found, end), text: offset..<found)
        default: return .text(whole: start..<end, text: offset..<end)
        }
    }

    private static func isBlank(_ bytes: RawSpan) -> Bool {
        var offset = 0
        while let octet = bytes.byte(at: offset) {
            guard JSONReader.isBlank(octet) || octet == 0 else { return false }
            offset &+= 1
        }
        return true
    }

    // MARK: - Resynchronization

    /// Returns the position from `start` on where a message starts, and whether that is certain; octets before it can
    /// be skipped. An unsuccessful search continues at the returned offset once more octets are available.
    mutating func search(_ bytes: RawSpan, from start: Int) -> (offset: Int, isFound: Bool) {
        var offset = start &+ (begun?.lead ?? 0)
        var extent = begun?.extent ?? JSONExtent()
        begun = nil
        // Bounds repeated parsing of the same octets, which would otherwise happen for each bracket.
        var budget = 8 &* (bytes.byteCount &- start)
        while let octet = bytes.byte(at: offset) {
            guard octet == UInt8(ascii: "{"), Self.begins(bytes, at: offset), Self.isOuter(bytes, offset, from: start)
            else {
                offset &+= 1
                extent = JSONExtent()
                continue
            }
            switch extent.end(bytes, from: offset) {
            case .end(let end):
                if let header = header(bytes, offset, end) { return (max(start, offset &- header), true) }
                return (offset, true)
            case .needMore:
                let known = max(start, offset &- headerOctets)
                begun = (offset &- known, extent)
                return (known, false)
            case .none:
                budget &-= extent.octets
                offset &+= budget > 0 ? 1 : max(1, extent.octets)
                extent = JSONExtent()
            }
        }
        return (max(start, bytes.byteCount &- headerOctets), false)
    }

    /// Whether a bracket may open a message, and not a nested value: it does not follow a colon, a comma or a quotation
    /// mark, or these are octets of a length.
    private static func isOuter(_ bytes: RawSpan, _ place: Int, from start: Int) -> Bool {
        var offset = place &- 1
        while offset >= start, let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &-= 1 }
        guard offset >= start, let octet = bytes.byte(at: offset) else { return true }
        switch octet {
        case ASCII.colon, ASCII.comma, ASCII.quote, UInt8(ascii: "["), 0x5C:
            // JSON contains no control characters but blanks; lengths do.
            return (max(start, offset &- 3)..<max(start, offset)).contains { before in
                bytes.byte(at: before).map { $0 < 0x20 && !JSONReader.isBlank($0) } ?? false
            }
        default: return true
        }
    }

    /// Returns the length of the header before a text: that of the framing, or, if unknown, of a length field right
    /// before it.
    private mutating func header(_ bytes: RawSpan, _ text: Int, _ end: Int) -> Int? {
        if case .length(let known) = framing {
            return known.body(bytes, at: text &- known.octets) == end &- text ? known.octets : nil
        }
        guard framing == nil else { return 0 }
        for width in [8, 4, 2] where text >= width {
            guard let found = LengthHeader.infer(bytes, from: text &- width, text: text, length: end &- text),
                found.before == 0, found.after == 0
            else { continue }
            framing = .length(found)
            isCertain = true
            return found.octets
        }
        return 0
    }
}
