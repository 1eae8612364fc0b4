import WeirEngine
import WeirPackets

/// Publishing URLs in texts of any protocol, whose last path segments are stream keys.
enum StreamAddresses {
    /// Masks the stream keys in the text.
    static func hidePaths(in text: String) -> String {
        guard ASCII.contains(text, "://") else { return text }
        return String(decoding: hidePaths(in: Array(text.utf8)), as: UTF8.self)
    }

    /// Masks the part after the application in each RTMP URL: it is the stream name, wherever the URL occurs.
    static func hidePaths(in octets: [UInt8]) -> [UInt8] {
        let ends = Self.ends
        var result: [UInt8] = []
        var (done, from, index) = (0, 0, 0)
        while index + 2 < octets.count {
            guard octets[index] == ASCII.colon, octets[index + 1] == ASCII.slash, octets[index + 2] == ASCII.slash
            else {
                index += 1
                continue
            }
            let isRTMP = endsScheme(octets, from, index)
            (from, index) = (index + 3, index + 3)
            guard isRTMP else { continue }
            var end = index
            while end < octets.count, octets[end] > ASCII.space, !ends.contains(octets[end]) { end += 1 }
            guard let host = octets[index..<end].firstIndex(of: ASCII.slash),
                let name = octets[(host + 1)..<end].firstIndex(of: ASCII.slash), name + 1 < end
            else { continue }
            result += octets[done...name] + Array(SecretPolicy.mask.utf8)
            (done, from, index) = (end, end, end)
        }
        return done == 0 ? octets : result + octets[done...]
    }

    /// Whether a scheme of RTMP ends at an index: `rtmp`, `rtmps`, `rtmpte`, ….
    private static func endsScheme(_ octets: [UInt8], _ from: Int, _ end: Int) -> Bool {
        var start = end
        while start > max(from, end - longestScheme), ASCII.isLetter(octets[start - 1]) { start -= 1 }
        return end - start >= 3 && ASCII.lowercased(octets[start]) == UInt8(ascii: "r")
            && ASCII.lowercased(octets[start + 1]) == UInt8(ascii: "t")
            && ASCII.lowercased(octets[start + 2]) == UInt8(ascii: "m")
    }

    /// Octets that end the path of a URL in a text.
    private static let ends = OctetSet("?#\"'<>,;")

    /// Length of `rtmpte`, the longest scheme.
    private static let longestScheme = 6
}
