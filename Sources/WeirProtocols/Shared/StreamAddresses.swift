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
        var result: [UInt8] = []
        var rest = octets[...]
        while let authority = ASCII.range(of: Array("://".utf8), in: rest)?.upperBound {
            let scheme = rest[..<(authority - 3)].reversed().prefix(Self.longestScheme).prefix { ASCII.isLetter($0) }
            result += rest[..<authority]
            rest = rest[authority...]
            guard scheme.suffix(3).map(ASCII.lowercased).elementsEqual("mtr".utf8) else { continue }
            let path = rest.prefix { $0 > ASCII.space && !ends.contains($0) }
            guard let host = path.firstIndex(of: ASCII.slash),
                let name = path[(host + 1)...].firstIndex(of: ASCII.slash), name + 1 < path.endIndex
            else { continue }
            result += rest[...name] + Array(SecretPolicy.mask.utf8)
            rest = rest[path.endIndex...]
        }
        return result + rest
    }

    /// Octets that end the path of a URL in a text.
    private static let ends = OctetSet("?#\"'<>,;")

    /// Length of `rtmpte`, the longest scheme.
    private static let longestScheme = 6
}
