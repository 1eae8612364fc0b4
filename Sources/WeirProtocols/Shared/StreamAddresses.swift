import WeirEngine
import WeirPackets

/// Addresses to which streams are published, in the texts of any protocol: the last steps of their paths are the keys.
enum StreamAddresses {
    /// The text with them masked.
    static func hidePaths(in text: String) -> String {
        guard ASCII.contains(text, "://") else { return text }
        return String(decoding: hidePaths(in: Array(text.utf8)), as: UTF8.self)
    }

    /// Masks what stands behind the application in each URL of RTMP: there the stream's name is, wherever the URL stands.
    static func hidePaths(in octets: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = octets[...]
        while let authority = ASCII.range(of: Array("://".utf8), in: rest)?.upperBound {
            let scheme = rest[..<(authority - 3)].reversed().prefix(Self.longestScheme).prefix { ASCII.isLetter($0) }
            result += rest[..<authority]
            rest = rest[authority...]
            guard scheme.suffix(3).map(ASCII.lowercased).elementsEqual("mtr".utf8) else { continue }
            let path = rest.prefix { $0 > ASCII.space && !"?#\"'<>,;".utf8.contains($0) }
            guard let host = path.firstIndex(of: ASCII.slash),
                let name = path[(host + 1)...].firstIndex(of: ASCII.slash), name + 1 < path.endIndex
            else { continue }
            result += rest[...name] + Array(SecretPolicy.mask.utf8)
            rest = rest[path.endIndex...]
        }
        return result + rest
    }

    /// Letters of `rtmpte` and its like.
    private static let longestScheme = 6
}
