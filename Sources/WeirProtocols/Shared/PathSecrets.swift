import WeirEngine
import WeirPackets

extension SecretPolicy {
    /// Masks an HTTP request target: a URI, or a path with a query.
    ///
    /// Janus accepts anyone who knows the number of a session as its owner, and puts it into the path, with that of a
    /// handle: `/janus/SESSION/HANDLE`; likewise in its admin API.
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

    /// Masks the stream in a WHIP or WHEP endpoint (RFC 9725 §4.1), whose name is often the publishing key: the path
    /// segment after the word, else the one before it, or the query.
    ///
    /// OvenMediaEngine puts the word in the query, and SRS has another API, `/rtc/v1/publish/?stream=`.
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
        // `/live/STREAM/whip`; the host in `http://HOST/whip` is not a stream.
        let first = path.count > 2 && path[0].hasSuffix(":") && path[1].isEmpty ? 3 : 1
        if !hasStream, end > first, path.indices.contains(end - 1), !path[end - 1].isEmpty, !isKnownStep(path[end - 1])
        {
            path[end - 1] = mask
        }
        return (path, query)
    }

    /// Whether a path segment is part of an API and not specific to a user.
    private static func isKnownStep(_ step: String) -> Bool {
        let plain = TextSyntax.lowercased(step)
        let known = ["api", "index", "rtc", "live", "app", "webrtc", "endpoint", "resource", "session", "sessions"]
        return known.contains(plain) || plain.first == "v" && plain.dropFirst().allSatisfy(\.isNumber)
    }

    /// Masks the URL of a resource that a server created for one client: whoever knows it can change and end the
    /// resource. Masks the last path segment and the query.
    func apply(resource: String) -> String {
        guard self == .masked else { return resource }
        let shown = apply(target: resource)
        let end = shown.firstIndex { $0 == "?" || $0 == "#" } ?? shown.endIndex
        var path = shown[..<end]
        while path.last == "/" { path.removeLast() }
        let start = TextSyntax.endOfScheme(shown) ?? shown.startIndex
        let rest = end < shown.endIndex ? "\(shown[end])\(Self.mask)" : ""
        guard let slash = path.lastIndex(of: "/"), slash >= start else {
            // A reference may consist of the last segment only.
            return start > shown.startIndex || path.isEmpty ? shown : Self.mask + rest
        }
        return "\(path[...slash])\(Self.mask)\(rest)"
    }

    /// Removes the last segment of such a URL from a text: links in the same response are based on it.
    func hide(resource: String, in text: String) -> String {
        let path = resource.prefix { $0 != "?" && $0 != "#" }
        guard self == .masked, let step = path.split(separator: "/").last, step.utf8.count >= Self.shortestNumber else {
            return text
        }
        return text.replacing(String(step), with: Self.mask)
    }

    /// Minimum number of digits of a random number; counters are shorter.
    private static var shortestNumber: Int { 6 }
    /// Path segments that precede such numbers.
    private static var holders: [String] { ["janus", "admin"] }
}
