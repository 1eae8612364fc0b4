import WeirEngine
import WeirPackets

/// Properties of the first message of a connection, found without a full parse: there are very many HTTP connections,
/// most of them irrelevant.
struct HTTPOpening {
    private static let methods = ["GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS ", "HEAD ", "HTTP/1."]
        .map { Array($0.utf8) }
    private static let version = Array("HTTP/1.".utf8)
    private static let longestLine = 2_048
    private static let upgrade = Array("upgrade:".utf8)
    private static let connection = Array("connection:".utf8)
    private static let close = Array("close".utf8)

    /// Whether the head is complete.
    private(set) var isComplete = false
    /// Whether the connection closes after the response, so that nothing relevant can follow.
    private(set) var closes = false
    /// Whether the request is an upgrade.
    private(set) var upgrades = false

    /// Scans bytes that start a request or response; returns nil for anything else.
    init?(_ bytes: RawSpan) {
        guard Self.methods.contains(where: { Self.begins(bytes, at: 0, $0) }) else { return nil }
        var offset = bytes.nextControl(from: 0)
        while let octet = bytes.byte(at: offset) {
            offset &+= 1
            defer { offset = bytes.nextControl(from: offset) }
            guard octet == ASCII.lineFeed else { continue }
            switch bytes.byte(at: offset) {
            case ASCII.lineFeed, ASCII.carriageReturn:
                isComplete = true
                return
            case UInt8(ascii: "U"), UInt8(ascii: "u"):
                if Self.begins(bytes, at: offset, Self.upgrade) { upgrades = true }
            case UInt8(ascii: "C"), UInt8(ascii: "c"):
                guard Self.begins(bytes, at: offset, Self.connection) else { continue }
                var value = offset &+ Self.connection.count
                while let blank = bytes.byte(at: value), TextSyntax.isBlank(blank) { value &+= 1 }
                if Self.begins(bytes, at: value, Self.close) { closes = true }
            default: continue
            }
        }
    }

    /// Whether a word in lower case, or a method, is at `start`, as far as bytes are available.
    private static func begins(_ bytes: RawSpan, at start: Int, _ word: [UInt8]) -> Bool {
        for index in word.indices {
            guard let octet = bytes.byte(at: start &+ index) else { return true }
            guard octet == word[index] || ASCII.lowercased(octet) == word[index] else { return false }
        }
        return true
    }

    /// Returns the first start of a message from `start` on. After a line end, the beginning of a request or response
    /// suffices. A body need not end with a line end; within a line, the complete line is required, and a request line
    /// ends with the version. Each line end is located once, however many words in the line resemble methods.
    static func firstStart(_ bytes: RawSpan, from start: Int) -> Int? {
        var offset = start
        var lineEnd = start
        while bytes.byteCount &- offset >= 8 {
            if isStart(bytes, at: offset) {
                if offset == 0 || bytes.byte(at: offset &- 1) == ASCII.lineFeed { return offset }
                if begins(bytes, at: offset, version) { return offset }
                if lineEnd < offset { lineEnd = offset }
                while let octet = bytes.byte(at: lineEnd), octet >= 0x20 { lineEnd &+= 1 }
                if isRequestLine(bytes, offset, lineEnd) { return offset }
            }
            offset &+= 1
        }
        return nil
    }

    private static func isRequestLine(_ bytes: RawSpan, _ start: Int, _ end: Int) -> Bool {
        let shortest = version.count &+ 1
        guard shortest + 1..<longestLine ~= end &- start, begins(bytes, at: end &- shortest, version) else {
            return false
        }
        return bytes.byte(at: end) == ASCII.carriageReturn || bytes.byte(at: end) == ASCII.lineFeed
    }

    /// Whether the bytes may start a message.
    static func isStart(_ bytes: RawSpan, at start: Int) -> Bool {
        methods.contains { begins(bytes, at: start, $0) }
    }
}
