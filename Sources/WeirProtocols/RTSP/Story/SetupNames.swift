import WeirPackets

/// The URIs of a session's setups, to find one by a URL that need not be written the same way.
///
/// Looking up costs the same however many there are: one answer to PLAY may name thousands of URLs.
struct SetupNames {
    /// The place of each URI.
    private var places: [String: Int] = [:]
    /// The first place of each end of a URI that begins behind a slash, of those URIs that were looked at for it.
    private var ends: [Substring: Int] = [:]
    /// URIs whose ends were not yet looked at, which most sessions never ask for.
    private var pending: [(uri: String, place: Int)] = []

    /// Segments of the longest end: paths are hardly ever longer.
    private static let mostSegments = 8

    /// The place of a URI that was added.
    func place(of uri: String) -> Int? { places[uri] }

    mutating func add(_ uri: String, at place: Int) {
        guard places[uri] == nil else { return }
        places[uri] = place
        pending.append((uri, place))
    }

    /// The setup that `url` names: the one with just this URI; else the first one that shares the most segments at the end
    /// of the path, one at least.
    mutating func index(of url: String) -> Int? {
        if let place = places[url] { return place }
        for (uri, place) in pending {
            for end in Self.ends(of: uri) where ends[end] == nil { ends[end] = place }
        }
        pending = []
        for end in Self.ends(of: url).reversed() {
            if let place = ends[end] { return place }
        }
        return nil
    }

    /// The last segment of a URL, the last two, and so on; a slash at the very end is not counted.
    private static func ends(of url: String) -> [Substring] {
        let segments = url.utf8.split(separator: ASCII.slash)
        guard let last = segments.last else { return [] }
        return segments.suffix(mostSegments).reversed().map { Substring(url.utf8[$0.startIndex..<last.endIndex]) }
    }
}
