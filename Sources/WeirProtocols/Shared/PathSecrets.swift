import WeirEngine
import WeirPackets

extension SecretPolicy {
    /// The target of a request of HTTP: a URI, or a path with a query.
    ///
    /// Janus takes who knows the number of a session for its owner, and writes it into the path, as it does that of a handle:
    /// `/janus/SESSION/HANDLE`; its administrators' interface does likewise.
    func apply(target: String) -> String {
        guard self == .masked else { return target }
        let shown = apply(uri: target)
        let end = shown.firstIndex { $0 == "?" || $0 == "#" } ?? shown.endIndex
        var isNumber = false
        let segments = shown[..<end].split(separator: "/", omittingEmptySubsequences: false).map { segment in
            if isNumber, segment.utf8.count >= Self.shortestNumber, segment.utf8.allSatisfy(ASCII.isDigit) {
                return Self.mask
            }
            isNumber = Self.holders.contains(TextSyntax.lowercased(String(segment)))
            return String(segment)
        }
        let (path, query) = Self.maskStream(segments, String(shown[end...]))
        return path.joined(separator: "/") + query
    }

    /// The endpoint of WHIP or WHEP (RFC 9725 §4.1) names the stream, which often is the key to publish it: in the step of its
    /// path behind the word, or before it where none follows, or in its query.
    ///
    /// OvenMediaEngine has the word in the query, and SRS an interface of its own beside it, `/rtc/v1/publish/?stream=`.
    private static func maskStream(_ segments: [String], _ query: String) -> ([String], String) {
        let parameters = query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
            TextSyntax.lowercased(String(parameter.first == "?" ? parameter.dropFirst() : parameter))
        }
        let isInQuery = parameters.contains("direction=whip") || parameters.contains("direction=whep")
        let word = segments.lastIndex { ["whip", "whep"].contains(TextSyntax.lowercased($0)) }
        guard word != nil || isInQuery || segments.contains("rtc") else { return (segments, query) }
        var path = segments
        var query = query
        let hasStream = parameters.contains { $0.hasPrefix("stream=") }
        if hasStream {
            query = zip(query.split(separator: "&", omittingEmptySubsequences: false), parameters).map { whole, plain in
                plain.hasPrefix("stream=") ? "\(whole.prefix { $0 != "=" })=\(mask)" : String(whole)
            }.joined(separator: "&")
        }
        let end = word ?? (isInQuery ? path.count : path.count &+ 1)
        for index in path.indices where index > end && !path[index].isEmpty && !isKnownStep(path[index]) {
            path[index] = mask
        }
        // `/live/STREAM/whip`; of `http://HOST/whip` the host is no stream.
        let first = path.count > 2 && path[0].hasSuffix(":") && path[1].isEmpty ? 3 : 1
        if !hasStream, end > first, path.indices.contains(end - 1), !path[end - 1].isEmpty, !isKnownStep(path[end - 1])
        {
            path[end - 1] = mask
        }
        return (path, query)
    }

    /// Whether a step of a path is part of an interface, and names nothing of its user's.
    private static func isKnownStep(_ step: String) -> Bool {
        let plain = TextSyntax.lowercased(step)
        let known = ["api", "index", "rtc", "live", "app", "webrtc", "endpoint", "resource", "session", "sessions"]
        return known.contains(plain) || plain.first == "v" && plain.dropFirst().allSatisfy(\.isNumber)
    }

    /// The address of what a server made for one client: who knows it can change and end that. The last step of its path is
    /// masked, and what its query says.
    func apply(resource: String) -> String {
        guard self == .masked else { return resource }
        let shown = apply(target: resource)
        let end = shown.firstIndex { $0 == "?" || $0 == "#" } ?? shown.endIndex
        var path = shown[..<end]
        while path.last == "/" { path.removeLast() }
        let start = TextSyntax.endOfScheme(shown) ?? shown.startIndex
        let rest = end < shown.endIndex ? "\(shown[end])\(Self.mask)" : ""
        guard let slash = path.lastIndex(of: "/"), slash >= start else {
            // A reference may be no more than the last step.
            return start > shown.startIndex || path.isEmpty ? shown : Self.mask + rest
        }
        return "\(path[...slash])\(Self.mask)\(rest)"
    }

    /// A text without the last step of such an address: links of the same answer lead on from it.
    func hide(resource: String, in text: String) -> String {
        let path = resource.prefix { $0 != "?" && $0 != "#" }
        guard self == .masked, let step = path.split(separator: "/").last, step.utf8.count >= Self.shortestNumber else {
            return text
        }
        return text.replacing(String(step), with: Self.mask)
    }

    /// Digits of a number that is random: those that count are shorter.
    private static var shortestNumber: Int { 6 }
    /// What stands before such numbers.
    private static var holders: [String] { ["janus", "admin"] }
}
