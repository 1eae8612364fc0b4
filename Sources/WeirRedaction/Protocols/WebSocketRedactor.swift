import WeirPackets
import WeirProtocols

/// Messages whose replacement cannot be compressed to their length.
final class Misfits {
    /// Their original texts.
    var texts: [[UInt8]] = []
    private static let most = 1_000

    func add(_ text: [UInt8]) {
        if texts.count < Self.most { texts.append(text) }
    }
}

/// Replaces the content of the frames of a WebSocket connection (RFC 6455 §5.2), below their masks and compression (RFC 7692).
struct WebSocketRedactor {
    let media: MediaRedactor
    let misfits: Misfits

    /// The frames of a data message, without their headers.
    private struct Message {
        let opcode: UInt8
        let isCompressed: Bool
        var frames: [Frame]
        /// Where its text is in the content of the connection; nil if it is not readable.
        var text: Range<Int>?
        /// What its compressed form refers to.
        var farthest = 0
        var refersBack = false

        /// Whether it is a close, ping or pong (RFC 6455 §5.5).
        var isControl: Bool { opcode >= 8 }
        var octets: Int { frames.reduce(0) { $0 + $1.range.count } }
    }

    private struct Frame {
        let range: Range<Int>
        let mask: [UInt8]
    }

    /// Replaces the content of frames from a place on.
    ///
    /// - Parameters:
    ///   - connection: Replaces the content of all data messages, one behind the other, of a connection that is carried in them.
    ///   - message: Replaces the content of a single message, if no connection is carried; the second argument is whether it is binary.
    func redact(
        _ octets: inout [UInt8], _ start: Int, _ noise: Noise, connection: ((inout [UInt8]) -> Void)?,
        message: (inout [UInt8], Bool) -> Void
    ) {
        var messages: [Message] = []
        // Control frames may come between the frames of a message.
        var current: Int?
        var place = start
        while let first = octets.byte(place), let header = Header(octets, place) {
            let end = min(octets.count, place + header.count + header.length)
            let frame = Frame(range: min(end, place + header.count)..<end, mask: header.mask)
            switch first & 0xF {
            case 0...2:
                if first & 0xF == 0, let current {
                    messages[current].frames.append(frame)
                } else {
                    current = messages.count
                    messages.append(Message(opcode: first & 0xF, isCompressed: first & 0x40 != 0, frames: [frame]))
                }
            case 8...10: messages.append(Message(opcode: first & 0xF, isCompressed: false, frames: [frame]))
            default: break
            }
            place = max(end, place + 2)
        }
        if place < octets.count { media.blank(&octets, place..<octets.count, noise) }
        let original = read(&messages, octets)
        var content = original
        if let connection { replace(&content, of: messages, connection) }
        for part in messages where connection == nil || part.isControl {
            guard let range = part.text, !range.isEmpty else { continue }
            // A close message begins with a code.
            let start = min(range.upperBound, range.lowerBound + (part.opcode == 8 ? 2 : 0))
            var text = Array(content[start..<range.upperBound])
            message(&text, part.opcode == 2)
            content.put(text, at: start)
        }
        for message in write(messages, content, carriesNothing: connection == nil, &octets, noise) {
            misfits.add(Array(original[message]))
        }
    }

    /// Replaces the content of all data messages as one.
    private func replace(_ content: inout [UInt8], of messages: [Message], _ connection: (inout [UInt8]) -> Void) {
        let ranges = messages.compactMap { $0.isControl ? nil : $0.text }
        var joined = ranges.flatMap { content[$0] }
        connection(&joined)
        var place = 0
        for range in ranges {
            content.put(joined[place..<place + range.count], at: range.lowerBound)
            place += range.count
        }
    }

    /// Octets that the messages of a connection may have when they are not compressed.
    private static let mostContent = 1 << 26
    /// The octets that a sender leaves out at the end of each compressed message (RFC 7692 §7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    /// Returns the content of the messages.
    private func read(_ messages: inout [Message], _ octets: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var inflater = Inflater(keepsWindow: true)
        for index in messages.indices {
            let joined = messages[index].frames.flatMap { mixed(octets[$0.range], $0.mask) }
            let start = content.count
            if !messages[index].isCompressed {
                content += joined
            } else if let text = try? inflater.inflate(joined + Self.tail, upTo: Self.mostContent - content.count) {
                content += text.octets
                messages[index].farthest = inflater.farthest
                messages[index].refersBack = inflater.refersBack
            } else {
                inflater.forget()
                continue
            }
            messages[index].text = start..<content.count
        }
        return content
    }

    /// Writes the content of the messages; what cannot be read, or not be compressed to the same length, is not passed. Returns where
    /// the latter is in the content.
    private func write(
        _ messages: [Message], _ content: [UInt8], carriesNothing: Bool, _ octets: inout [UInt8], _ noise: Noise
    ) -> [Range<Int>] {
        var misfits: [Range<Int>] = []
        var window: [UInt8] = []
        // A window is never smaller (RFC 7692 §7.1.2.1).
        var farthest = 256
        for message in messages {
            var joined = message.text.map { Array(content[$0]) }
            if joined == nil { window = [] }
            if message.isCompressed, var text = joined {
                farthest = max(farthest, message.farthest)
                joined =
                    carriesNothing && !ASCII.isPrintable(text[...])
                    ? repetitive(&text, octets: message.octets, farthest)
                    : DeflateEncoder(text, behind: message.refersBack ? window : [], farthest: farthest)
                        .message(octets: message.octets)
                if joined == nil, let range = message.text { misfits.append(range) }
                window = Array((window + text).suffix(Self.windowOctets))
            }
            var offset = 0
            for frame in message.frames {
                if let joined {
                    octets.put(
                        mixed(joined[offset..<offset + frame.range.count], frame.mask), at: frame.range.lowerBound)
                } else {
                    media.blank(&octets, frame.range, noise)
                }
                offset += frame.range.count
            }
        }
        return misfits
    }

    /// Compresses noise to some octets, which is only possible if it repeats itself; changes it to the text that does, nil if none fits.
    private func repetitive(_ text: inout [UInt8], octets: Int, _ farthest: Int) -> [UInt8]? {
        for sixteenths in [16, 15, 12, 8, 4, 2, 1] {
            let period = max(1, min(octets * sixteenths / 16, farthest, text.count))
            let repeated = text.indices.map { text[$0 % period] }
            guard
                let compressed = DeflateEncoder(repeated, behind: [], farthest: farthest).message(octets: octets)
            else { continue }
            text = repeated
            return compressed
        }
        return nil
    }

    /// Octets of the largest window (RFC 7692 §7.1.2).
    private static let windowOctets = 1 << 15

    private func mixed(_ octets: ArraySlice<UInt8>, _ mask: [UInt8]) -> [UInt8] {
        guard mask.count == 4 else { return Array(octets) }
        return octets.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// The header of a frame.
    private struct Header {
        var count = 2
        var length: Int
        var mask: [UInt8] = []

        init?(_ octets: [UInt8], _ place: Int) {
            guard let second = octets.byte(place + 1) else { return nil }
            length = Int(second & 0x7F)
            if length == 126 {
                length = Int(octets.uint16(place + 2) ?? 0)
                count = 4
            } else if length == 127 {
                guard octets.uint32(place + 2) == 0, let low = octets.uint32(place + 6) else { return nil }
                length = Int(low)
                count = 10
            }
            guard second & 0x80 != 0 else { return }
            mask = Array(octets.part(place + count, place + count + 4))
            count += 4
        }
    }
}

extension ASCII {
    /// Whether an octet is a space, a tab or part of a line end.
    static func isBlank(_ octet: UInt8) -> Bool {
        octet == space || octet == tab || octet == lineFeed || octet == carriageReturn
    }

    /// Whether octets are text, without control characters.
    static func isPrintable(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || isBlank($0) }
    }
}
