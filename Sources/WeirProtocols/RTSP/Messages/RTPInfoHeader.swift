import WeirPackets

/// The entry of one stream in `RTP-Info` (RFC 2326 §12.33, RFC 7826 §18.45).
public struct RTPInfoEntry: Sendable, Hashable {
    /// The stream's URL, without quotation marks.
    public var url: String
    /// The sequence number of the first packet in response to the request, or nil if missing or not a number.
    public var sequence: UInt32?
    /// The RTP timestamp at the start of the range, or nil if missing or `-1`, as some servers send.
    public var rtpTime: UInt32?
    /// The SSRC (RTSP 2.0 only).
    public var ssrc: UInt32?
    /// The entry as sent.
    public var raw: String
    /// Whether there is an empty parameter (an extra `;`).
    public var hasEmptyParameter = false
    /// Whether a numeric parameter has a value that is not a number.
    public var hasBadNumber = false

    /// Parses the header value. In 1.0, parameters follow the URL after `;`; in 2.0, the URL is quoted and each
    /// `ssrc=…:seq=…;rtptime=…` after it is an entry.
    public static func list(_ value: String) -> [RTPInfoEntry] {
        var entries: [RTPInfoEntry] = []
        let octets = Array(value.utf8)
        for part in parts(octets) where !part.isEmpty {
            let text = TextSyntax.text(octets, part)
            if TextSyntax.hasPrefix(text, "url=\"") {
                entries += version2(text)
            } else {
                entries.append(version1(octets, part, text))
            }
        }
        return entries
    }

    /// Splits at commas that precede `url=`; other commas may belong to a URL.
    private static func parts(_ octets: [UInt8]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        var pieces = TextSyntax.parts(of: octets, at: ASCII.comma)
        while let piece = pieces.next() {
            if let last = joined.last, !TextSyntax.isWord(octets, piece.prefix(3), "url") {
                joined[joined.count - 1] = last.lowerBound..<piece.upperBound
            } else {
                joined.append(piece)
            }
        }
        // Joined parts are trimmed again: one that was joined may be empty.
        return joined.map { TextSyntax.trim($0, of: octets) }
    }

    private static func version1(_ octets: [UInt8], _ range: Range<Int>, _ text: String) -> RTPInfoEntry {
        var entry = RTPInfoEntry(url: "", raw: text)
        var hasURL = false
        var parts = TextSyntax.parts(of: octets, in: range, at: ASCII.semicolon)
        while let part = parts.next() {
            if part.isEmpty {
                entry.hasEmptyParameter = true
                continue
            }
            let (name, value) = TextSyntax.pair(octets, part)
            if !hasURL, TextSyntax.isWord(octets, name, "url") {
                hasURL = true
                entry.url = TextSyntax.unquote(value.map { TextSyntax.text(octets, $0) } ?? "")
            } else if !entry.set(octets, name, value), !hasURL {
                entry.url += TextSyntax.text(octets, part)
            }
        }
        return entry
    }

    private static func version2(_ text: String) -> [RTPInfoEntry] {
        let afterName = text.utf8.dropFirst(5)
        let url = afterName.prefix { $0 != ASCII.quote }
        let rest = afterName.dropFirst(url.count + 1)
        let base = RTPInfoEntry(url: String(decoding: url, as: UTF8.self), raw: text)
        var entries: [RTPInfoEntry] = []
        for word in TextSyntax.words(String(decoding: rest, as: UTF8.self)) {
            let starts = TextSyntax.hasPrefix(word, "ssrc=")
            var entry = starts ? base : entries.popLast() ?? base
            for group in TextSyntax.split(word, at: ASCII.colon) {
                for parameter in TextSyntax.split(group, at: ASCII.semicolon) where !parameter.isEmpty {
                    let octets = Array(parameter.utf8)
                    let (name, value) = TextSyntax.pair(octets, octets.indices)
                    _ = entry.set(octets, name, value)
                }
            }
            entries.append(entry)
        }
        return entries.isEmpty ? [base] : entries
    }

    /// Sets the number with a name; returns false for other names.
    private mutating func set(_ octets: [UInt8], _ name: Range<Int>, _ value: Range<Int>?) -> Bool {
        let value = value ?? 0..<0
        if TextSyntax.isWord(octets, name, "seq") {
            sequence = number(octets, value)
        } else if TextSyntax.isWord(octets, name, "rtptime") {
            rtpTime = number(octets, value)
        } else if TextSyntax.isWord(octets, name, "ssrc") {
            ssrc = TextSyntax.hexadecimal(TextSyntax.text(octets, value), as: UInt32.self)
            if ssrc == nil { hasBadNumber = true }
        } else {
            return false
        }
        return true
    }

    private mutating func number(_ octets: [UInt8], _ range: Range<Int>) -> UInt32? {
        let value = TextSyntax.decimal(octets, range, as: UInt32.self)
        if value == nil { hasBadNumber = true }
        return value
    }
}
