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

    /// Digits of a number that is random: those that count are shorter.
    private static var shortestNumber: Int { 6 }
    /// What stands before such numbers.
    private static var holders: [String] { ["janus", "admin"] }
}
