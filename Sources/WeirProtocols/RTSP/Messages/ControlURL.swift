import WeirPackets

/// Resolves the control URLs of session descriptions (RFC 2326 §C.1.1).
public enum ControlURL {
    /// Resolves `control` against `base` as in RFC 1808 and RFC 3986 §5.2.
    ///
    /// `*` or an empty value is the base itself (RFC 2326 §C.1.1). A relative URL replaces everything after the last
    /// slash of the base, so that `track1` in `rtsp://host/live` is `rtsp://host/track1`.
    public static func resolve(_ control: String, base: String) -> String {
        let control = TextSyntax.trim(control)
        let base = TextSyntax.trim(base)
        if control.isEmpty || control == "*" { return base }
        if hasScheme(control) { return control }
        let parts = Parts(base)
        if control.hasPrefix("//") { return parts.scheme + control }
        if control.hasPrefix("/") { return parts.url(normal(control)) }
        if control.hasPrefix("?") { return parts.url(parts.path + control) }
        let slash = parts.path.utf8.lastIndex(of: ASCII.slash)
        let folder = slash.map { parts.path[...$0] } ?? (parts.authority.isEmpty ? "" : "/")
        return parts.url(normal(folder + control))
    }

    /// Whether `url` is the control resolved against the base, in the most common case: the base ends with a slash, and
    /// the control is a name. False in all other cases, for which there is ``resolve(_:base:)``.
    static func isPlainlyResolved(_ url: String, _ control: String, base: String) -> Bool {
        guard url.utf8.count == base.utf8.count &+ control.utf8.count, isPlain(control),
            TextSyntax.endsWith(url, ASCII.slash, control), TextSyntax.startsWith(url, base), hasScheme(base)
        else { return false }
        return base.withOctets { base in
            var before = ASCII.slash
            for index in base.indices {
                let octet = base[index]
                // Neither a query or fragment nor a segment that starts with a dot.
                if octet == 0x3F || octet == 0x23 || octet == 0x2E && before == ASCII.slash { return false }
                before = octet
            }
            return before == ASCII.slash
        }
    }

    /// Whether a control is a name, of which resolving changes nothing: every URL that it resolves to ends with it.
    static func isPlain(_ control: String) -> Bool {
        !control.isEmpty
            && control.hasOnly { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x3D || $0 == 0x5F }
    }

    /// Joins base and control with exactly one slash, as many clients and cameras do.
    public static func concatenate(_ control: String, base: String) -> String {
        let control = TextSyntax.trim(control)
        let base = TextSyntax.trim(base)
        if control.isEmpty || control == "*" { return base }
        if hasScheme(control) { return control }
        if base.hasSuffix("/") || control.hasPrefix("/") {
            return base.hasSuffix("/") && control.hasPrefix("/") ? base + control.dropFirst() : base + control
        }
        return base + "/" + control
    }

    /// Returns the URI without insignificant parts, for comparison.
    static func comparable(_ uri: String) -> String {
        guard let start = TextSyntax.endOfScheme(uri) else { return uri }
        let rest = uri[start...]
        let end = rest.utf8.firstIndex { $0 == ASCII.slash || $0 == 0x3F } ?? rest.endIndex
        var host = rest[..<end]
        if let at = host.utf8.lastIndex(of: 0x40) { host = host[host.utf8.index(after: at)...] }
        var authority = TextSyntax.lowercased(host)
        if authority.hasSuffix(":554") { authority.removeLast(4) }
        var path = rest[end...]
        while path.utf8.last == ASCII.slash { path = path[..<path.utf8.index(before: path.endIndex)] }
        return TextSyntax.lowercased(uri[..<start]) + authority + path
    }

    /// Returns the base of control URLs: Content-Base, else Content-Location, else the request URI.
    public static func base(contentBase: String?, contentLocation: String?, requestURI: String) -> String {
        for candidate in [contentBase, contentLocation] {
            if let candidate, !TextSyntax.trim(candidate).isEmpty {
                // A relative base is resolved against the request URI (RFC 2068 §14.11, §14.15).
                return resolve(candidate, base: requestURI)
            }
        }
        return requestURI
    }

    /// Whether the URL starts with a scheme and a colon (RFC 3986 §3.1).
    static func hasScheme(_ url: String) -> Bool {
        url.withOctets { octets in
            guard let first = octets.indices.first, ASCII.isLetter(octets[first]) else { return false }
            for index in octets.indices {
                let octet = octets[index]
                if octet == ASCII.colon {
                    return index &+ 2 < octets.count && octets[index &+ 1] == ASCII.slash
                        && octets[index &+ 2] == ASCII.slash
                }
                guard ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == 0x2B || octet == 0x2D || octet == 0x2E
                else { return false }
            }
            return false
        }
    }

    /// Scheme with colon, authority with slashes, and path.
    private struct Parts {
        var scheme: Substring = ""
        var authority: Substring = ""
        var path: Substring

        /// Returns the URL with another path.
        func url(_ path: String) -> String {
            var url = String(scheme)
            url += authority
            url += path
            return url
        }

        init(_ url: String) {
            var rest = url[...]
            if ControlURL.hasScheme(url), let colon = url.utf8.firstIndex(of: ASCII.colon) {
                scheme = url[...colon]
                rest = url[url.utf8.index(after: colon)...]
            }
            if rest.utf8.starts(with: "//".utf8) {
                let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
                let end = rest[start...].utf8.firstIndex { $0 == ASCII.slash || $0 == 0x3F } ?? rest.endIndex
                authority = rest[..<end]
                rest = rest[end...]
            }
            path = rest[..<(rest.utf8.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex)]
        }
    }

    /// Whether a path segment starts with a dot; rare.
    private static func hasDotSegment(_ url: String) -> Bool {
        var before = ASCII.slash
        for octet in url.utf8 {
            if octet == 0x2E, before == ASCII.slash { return true }
            before = octet
        }
        return false
    }

    /// Removes `.` and `..` segments (RFC 3986 §5.2.4); the query is unchanged.
    private static func normal(_ url: String) -> String {
        guard hasDotSegment(url) else { return url }
        let end = url.utf8.firstIndex { $0 == 0x3F || $0 == 0x23 } ?? url.endIndex
        var kept: [Substring] = []
        let segments = url[..<end].split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/") + url[end...]
    }
}
