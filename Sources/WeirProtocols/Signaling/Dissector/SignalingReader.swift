import WeirPackets

/// Finds the messages of one direction of a TCP connection.
struct SignalingReader {
    /// What comes next.
    enum Next {
        /// A text: where the message is with its header and what ends it, and where the text is in it.
        case text(whole: Range<Int>, text: Range<Int>)
        /// Words that are no JSON, likewise; empty where a header announces nothing.
        case words(whole: Range<Int>, text: Range<Int>)
        /// Octets to pass over, between messages.
        case skip(Int)
        /// It is not complete; so many octets are, if that is known.
        case needMore(Int)
        /// What stands here begins no message.
        case lost
    }

    /// How messages are delimited; nil as long as none was read.
    private(set) var framing: SignalingFraming?
    /// What is wrong with how the message at hand is delimited.
    private(set) var fault: FramingFault?
    /// Whether the framing is certain: one that a profile names, or that was seen to end a message.
    private var isCertain = false
    private var extent = JSONExtent()
    /// Octets of the text at hand in which nothing ends it.
    private var looked = 0
    /// The text that a search has found begun: where its bracket is behind the offset that was told, and how far it was looked
    /// through.
    private var begun: (lead: Int, extent: JSONExtent)?
    /// Whether what ends the message before has not come yet.
    private var awaitsEnd = false
    private let headerOctets: Int
    private let longest: Int

    init(framing: SignalingFraming?, limits: Limits) {
        self.framing = framing
        isCertain = framing != nil
        headerOctets = limits[SignalingLimits.self].headerOctets
        longest = limits.messageOctets
    }

    /// Forgets the message at hand: octets of it are missing.
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

    /// Looks at what stands at `start`.
    mutating func next(_ bytes: RawSpan, at start: Int) -> Next {
        fault = nil
        guard let first = bytes.byte(at: start) else { return .needMore(0) }
        if case .length(let header) = framing { return next(header, bytes, start) }
        if let passed = separators(bytes, start), passed > 0 { return .skip(passed) }
        if first == 0xEF, bytes.byteCount &- start < 4 { return .needMore(4) }
        if Self.opens(first) || Self.mark(bytes, start) > 0 { return text(bytes, start, headerAt: start) }
        // A line, or what ends in a 0, may be a word such as `ping`.
        if isCertain { return words(bytes, start) }
        return opening(bytes, start)
    }

    /// Octets of a byte order mark before an object or a list (RFC 8259 §8.1: a fault, which readers may pass over).
    static func mark(_ bytes: RawSpan, _ start: Int) -> Int {
        guard bytes.byte(at: start) == 0xEF, bytes.byte(at: start &+ 1) == 0xBB, bytes.byte(at: start &+ 2) == 0xBF,
            bytes.byte(at: start &+ 3).map(opens) == true
        else { return 0 }
        return 3
    }

    /// Octets of blanks and zeros between messages; what they are tells how messages are delimited.
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
        // A blank may be the first octet of a length, as long as it is not known that there is none.
        if framing == nil, let octet = bytes.byte(at: end), !Self.opens(octet) { return 0 }
        return end < bytes.byteCount || framing != nil ? end &- start : 0
    }

    /// Whether an octet opens an object or a list.
    static func opens(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") }

    // MARK: - The first message

    /// The first message has a header: it is found once its text is there.
    private mutating func opening(_ bytes: RawSpan, _ start: Int) -> Next {
        guard let text = Self.firstText(bytes, from: start, within: headerOctets) else {
            return bytes.byteCount &- start > headerOctets ? .lost : .needMore(0)
        }
        return self.text(bytes, text, headerAt: start)
    }

    /// Where the first object or list begins behind a header.
    static func firstText(_ bytes: RawSpan, from start: Int, within octets: Int) -> Int? {
        for offset in start...start &+ octets {
            guard let octet = bytes.byte(at: offset) else { return nil }
            if opens(octet), begins(bytes, at: offset) { return offset }
        }
        return nil
    }

    /// Whether what follows an opening bracket may be JSON: an object's first member, an element, or the end. What has not
    /// come yet may be.
    static func begins(_ bytes: RawSpan, at start: Int) -> Bool {
        let isObject = bytes.byte(at: start) == UInt8(ascii: "{")
        var offset = start &+ 1
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &+= 1 }
        guard let octet = bytes.byte(at: offset) else { return true }
        if octet == ASCII.quote { return true }
        if isObject { return octet == UInt8(ascii: "}") }
        return octet == UInt8(ascii: "{") || octet == UInt8(ascii: "[") || octet == UInt8(ascii: "]")
    }

    /// A text whose end its own brackets tell.
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

    /// What ends the messages, told by the first of them.
    private mutating func infer(_ bytes: RawSpan, _ header: Int, _ start: Int, _ end: Int) {
        if header < start {
            // A length may count the line end behind the text, too.
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

    /// Where a message ends whose text ends at `end`: behind the line feed or the 0.
    private mutating func closing(_ bytes: RawSpan, _ end: Int) -> Int {
        guard framing == .newline || framing == .nul else { return end }
        var offset = end
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) || octet == 0 {
            offset &+= 1
            if octet == ASCII.lineFeed || octet == 0 { return offset }
        }
        // The message behind it shows whether its end is missing.
        awaitsEnd = isCertain
        return end
    }

    private var unended: FramingFault { .unended(framing == .nul ? "NUL" : "LF") }

    /// The end of a line whose text is broken: the next line begins a message although its brackets are still open.
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

    // MARK: - Words

    /// Words between line feeds or zeros.
    private func words(_ bytes: RawSpan, _ start: Int) -> Next {
        guard framing == .newline || framing == .nul else { return .lost }
        let end = framing == .nul ? UInt8(0) : ASCII.lineFeed
        guard let found = bytes.firstOffset(of: end, from: start) else {
            return bytes.byteCount &- start > 256 ? .lost : .needMore(0)
        }
        return found &- start <= 256 ? .words(whole: start..<found &+ 1, text: start..<found) : .lost
    }

    // MARK: - Lengths

    private mutating func next(_ header: LengthHeader, _ bytes: RawSpan, _ start: Int) -> Next {
        guard bytes.byteCount &- start >= header.octets else { return .needMore(header.octets) }
        guard let length = header.body(bytes, at: start), length <= longest else { return .lost }
        let text = start &+ header.octets
        guard length > 0 else { return .words(whole: start..<text, text: text..<text) }
        guard let first = bytes.byte(at: text) else { return .needMore(header.octets &+ length) }
        let end = text &+ length
        var offset = text
        // Blanks behind the message are the next one's.
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
            // One octet too many may be a 0 or a line feed that the sender counts.
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

    // MARK: - Out of step

    /// Where a message begins from `start` on, and whether that is certain; what is before it can be passed over. A search that
    /// finds none goes on from the offset that it tells, once more has come.
    mutating func search(_ bytes: RawSpan, from start: Int) -> (offset: Int, isFound: Bool) {
        var offset = start &+ (begun?.lead ?? 0)
        var extent = begun?.extent ?? JSONExtent()
        begun = nil
        // What was read in vain may be read a few times, not once for each bracket in it.
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

    /// Whether a bracket may open a message, and not a value in one: neither a colon, a comma nor a quotation mark is
    /// before it.
    private static func isOuter(_ bytes: RawSpan, _ place: Int, from start: Int) -> Bool {
        var offset = place &- 1
        while offset >= start, let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &-= 1 }
        guard offset >= start, let octet = bytes.byte(at: offset) else { return true }
        return octet != ASCII.colon && octet != ASCII.comma && octet != ASCII.quote && octet != UInt8(ascii: "[")
            && octet != 0x5C
    }

    /// Octets of the header before a text: that of the framing, or, when nothing is known of it, a length right before.
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
