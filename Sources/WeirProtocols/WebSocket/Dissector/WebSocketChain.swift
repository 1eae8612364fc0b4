import WeirEngine
import WeirPackets

/// Finds frames on connections whose upgrade was not captured: by chains of frames, and by their text.
///
/// A header of two octets proves nothing, so several conditions must hold: frames masked as required for their
/// direction, minimal length encoding, each frame starting where the previous one ends, and text that unmasks to
/// printable UTF-8. Without text, the chain must be longer.
enum WebSocketChain {
    /// The number of text frames that identify a direction as WebSocket.
    private static let enoughTexts = 2
    /// The number of consecutive messages of any content that identify a direction as WebSocket.
    private static let enoughMessages = 5
    /// The same if the last message ends at the last available octet.
    private static let enoughWholeMessages = 3
    /// The minimum length of a single text that is sufficient if it starts and ends like a JSON object or array: its
    /// length field has several octets, so a coincidence is unlikely.
    private static let shortestJSON = 126
    /// The minimum length of a text that counts, and the number of its octets that are checked.
    private static let shortestText = 8
    private static let mostText = 256
    /// The maximum number of frames checked.
    private static let mostFrames = 64

    private struct Found {
        var frames = 0
        var texts = 0
        /// The number of nonempty unfragmented messages: rare by chance, and impossible in zeros.
        var messages = 0
        /// Whether the octets end at the end of a frame.
        var isWhole = false

        /// Whether the chain suffices at any position.
        var isEnough: Bool { texts >= WebSocketChain.enoughTexts || messages >= WebSocketChain.enoughMessages }
        /// Whether the chain suffices on a connection known to be WebSocket.
        var isEnoughForReading: Bool {
            isEnough || isWhole && (texts > 0 || messages >= WebSocketChain.enoughWholeMessages)
        }
    }

    /// Returns whether the start of a flow whose beginning was not captured contains frames.
    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let client = look(opening.client, opening.clientStarts, isMasked: true)
        let server = look(opening.server, opening.serverStarts, isMasked: false)
        // The capture of a side may start within a long message, where nothing matches.
        if client == .yes || server == .yes { return .yes }
        return client == .no || server == .no ? .no : .needMore
    }

    /// Returns the answer for one side; needs octets.
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

    /// Follows frames from `start` on; returns nil if the chain breaks.
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

    /// Whether a text with these first and last octets may be an object or an array.
    private static func isJSON(_ first: UInt8?, _ last: UInt8?) -> Bool {
        first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
            || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    }

    /// Returns the last octet of a frame's payload, unmasked.
    private static func last(of frame: WebSocketFrame, _ bytes: RawSpan, endingAt end: Int) -> UInt8? {
        guard let octet = bytes.byte(at: end &- 1) else { return nil }
        guard let mask = frame.mask else { return octet }
        return octet ^ UInt8(truncatingIfNeeded: mask >> UInt32(8 &* (3 &- (frame.length &- 1) & 3)))
    }

    /// Returns the first offset of a chain of frames with enough text or enough messages.
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

    /// Whether the octets are UTF-8 without control characters other than tabs and line ends; if truncated, the last
    /// character may be incomplete.
    private static func isPrintable(_ text: [UInt8], isWhole: Bool) -> Bool {
        text.allSatisfy {
            $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
            && (!isWhole || TextSyntax.isUTF8(text))
    }
}
