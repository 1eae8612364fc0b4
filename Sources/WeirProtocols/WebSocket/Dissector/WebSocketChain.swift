import WeirEngine
import WeirPackets

/// Finds frames where the capture lacks how the connection began: by chains of them, and by text in them.
///
/// A header of two octets proves nothing, so much must come together: frames masked as their side has to, no length longer
/// than it needs, each beginning where the one before ends, and text that is printable UTF-8 once its masking is off. Where
/// there is no text, the chain has to be longer.
enum WebSocketChain {
    /// Frames with text that a side must show before the connection is believed to be WebSocket.
    private static let enoughTexts = 2
    /// Messages of whatever content that follow each other in a chain that is believed.
    private static let enoughMessages = 5
    /// As many are enough where the last one ends with the octets at hand.
    private static let enoughWholeMessages = 3
    /// Octets of a text that is enough alone, when it begins and ends as an object or a list of JSON does: then its length
    /// takes more than an octet, which chance has to hit, too.
    private static let shortestJSON = 126
    /// Octets of the shortest text that counts, and octets of a text that are looked at.
    private static let shortestText = 8
    private static let mostText = 256
    /// Frames looked at.
    private static let mostFrames = 64

    private struct Found {
        var frames = 0
        var texts = 0
        /// Frames that are a whole message and hold something: what chance seldom makes, and zeros never.
        var messages = 0
        /// Whether the octets ended where a frame did, or inside of one.
        var isWhole = false

        /// Whether it is believed wherever it begins.
        var isEnough: Bool { texts >= WebSocketChain.enoughTexts || messages >= WebSocketChain.enoughMessages }
        /// Whether it is believed where frames are known to be.
        var isEnoughForReading: Bool {
            isEnough || isWhole && (texts > 0 || messages >= WebSocketChain.enoughWholeMessages)
        }
    }

    /// Whether the opening of a flow that began earlier holds frames.
    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let client = look(opening.client, opening.clientStarts, isMasked: true)
        let server = look(opening.server, opening.serverStarts, isMasked: false)
        // A side may begin in the middle of a long message, where nothing fits.
        if client == .yes || server == .yes { return .yes }
        return client == .no || server == .no ? .no : .needMore
    }

    /// One side: yes, no, or not known yet. Without octets it is not known.
    private static func look(_ bytes: RawSpan, _ starts: [Int], isMasked: Bool) -> ProbeAnswer {
        guard bytes.byteCount > 0 else { return .needMore }
        var answer = ProbeAnswer.no
        for start in starts.isEmpty ? [0] : starts.prefix(8) {
            guard let found = follow(bytes, from: start, isMasked: isMasked) else { continue }
            if found.isEnough { return .yes }
            answer = .needMore
        }
        return answer
    }

    /// Follows frames from `start` on; nil when that leads nowhere.
    private static func follow(_ bytes: RawSpan, from start: Int, isMasked: Bool) -> Found? {
        var found = Found()
        var offset = start
        while offset < bytes.byteCount, found.frames < mostFrames, found.texts < enoughTexts {
            guard let frame = WebSocketFrame(bytes, at: offset) else { break }
            guard frame.isPlausible, (frame.mask != nil) == isMasked else { return nil }
            let end = offset &+ frame.octets
            guard end <= bytes.byteCount else { break }
            if frame.purpose == .text, !frame.isCompressed {
                var beginning = frame
                beginning.length = min(frame.length, mostText)
                var text: [UInt8] = []
                beginning.unmask(bytes, at: offset &+ frame.headerOctets, into: &text)
                guard isPrintable(text, isWhole: frame.isFinal && beginning.length == frame.length) else { return nil }
                if text.count >= shortestText { found.texts &+= 1 }
                if frame.length >= shortestJSON, isJSON(text.first, last(of: frame, bytes, endingAt: end)) {
                    found.texts = enoughTexts
                }
            }
            found.frames &+= 1
            if frame.isFinal, frame.length > 0, frame.purpose == .text || frame.purpose == .binary {
                found.messages &+= 1
            }
            offset = end
        }
        found.isWhole = offset == bytes.byteCount
        return found
    }

    /// Whether a text between these octets may be an object or a list.
    private static func isJSON(_ first: UInt8?, _ last: UInt8?) -> Bool {
        first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
            || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    }

    /// The last octet of a frame's payload, its masking off.
    private static func last(of frame: WebSocketFrame, _ bytes: RawSpan, endingAt end: Int) -> UInt8? {
        guard let octet = bytes.byte(at: end &- 1) else { return nil }
        guard let mask = frame.mask else { return octet }
        return octet ^ UInt8(truncatingIfNeeded: mask >> UInt32(8 &* (3 &- (frame.length &- 1) & 3)))
    }

    /// The first offset from which frames follow each other: with text in them, or many enough of them.
    static func start(_ bytes: RawSpan, from start: Int, isMasked: Bool) -> Int? {
        var offset = start
        while offset < bytes.byteCount {
            if let frame = WebSocketFrame(bytes, at: offset), frame.isPlausible, (frame.mask != nil) == isMasked,
                offset &+ frame.octets <= bytes.byteCount,
                let found = follow(bytes, from: offset, isMasked: isMasked), found.isEnoughForReading
            {
                return offset
            }
            offset &+= 1
        }
        return nil
    }

    /// Whether the octets are UTF-8 without control characters but tabs and line ends; where they end in the middle, a
    /// character may be cut.
    private static func isPrintable(_ text: [UInt8], isWhole: Bool) -> Bool {
        text.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
            && (!isWhole || TextSyntax.isUTF8(text))
    }
}
