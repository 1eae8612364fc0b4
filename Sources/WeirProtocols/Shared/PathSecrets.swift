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
        return segments.joined(separator: "/") + shown[end...]
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
        guard let slash = path.lastIndex(of: "/"), slash >= start else { return shown }
        let rest = end < shown.endIndex ? "\(shown[end])\(Self.mask)" : ""
        return "\(path[...slash])\(Self.mask)\(rest)"
    }

    /// Digits of a number that is random: those that count are shorter.
    private static var shortestNumber: Int { 6 }
    /// What stands before such numbers.
    private static var holders: [String] { ["janus", "admin"] }
}
