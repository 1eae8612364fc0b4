import WeirPackets

/// The URIs of a session's setups, searchable by URLs that may be spelled differently.
///
/// Lookup time does not depend on their number: one PLAY response may list thousands of URLs.
struct SetupNames {
    /// The URIs while there are few, which are compared one by one.
    private var few: [(uri: String, place: Int)] = []
    /// The index of each URI, once there are more.
    private var places: [String: Int] = [:]
    /// The first index of each URI suffix that starts after a slash, for the URIs indexed so far.
    private var ends: [Substring: Int] = [:]
    /// URIs whose suffixes are not indexed yet; most sessions never need them.
    private var pending: [(uri: String, place: Int)] = []

    /// Maximum number of segments in a suffix; longer paths are rare.
    private static let mostSegments = 8
    private static let mostCompared = 8

    /// Returns the index of a URI.
    func place(of uri: String) -> Int? { places.isEmpty ? few.first { $0.uri == uri }?.place : places[uri] }

    mutating func add(_ uri: String, at place: Int) {
        guard self.place(of: uri) == nil else { return }
        if places.isEmpty, few.count < Self.mostCompared {
            few.append((uri, place))
        } else {
            if places.isEmpty { for name in few { places[name.uri] = name.place } }
            places[uri] = place
        }
        pending.append((uri, place))
    }

    /// Returns the setup for `url`: the exact match, else the first one that shares the most path segments at the end,
    /// at least one.
    mutating func index(of url: String) -> Int? {
        if let place = place(of: url) { return place }
        for (uri, place) in pending {
            for end in Self.ends(of: uri) where ends[end] == nil { ends[end] = place }
        }
        pending = []
        for end in Self.ends(of: url).reversed() {
            if let place = ends[end] { return place }
        }
        return nil
    }

    /// Returns the last path segment of a URL, the last two, and so on; a trailing slash is ignored.
    private static func ends(of url: String) -> [Substring] {
        let segments = url.utf8.split(separator: ASCII.slash)
        guard let last = segments.last else { return [] }
        return segments.suffix(mostSegments).reversed().map { Substring(url.utf8[$0.startIndex..<last.endIndex]) }
    }
}
