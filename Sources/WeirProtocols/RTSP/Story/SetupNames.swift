import WeirPackets

/// The URIs of a session's setups, to find one by a URL that need not be written the same way.
///
/// Looking up costs the same however many there are: one answer to PLAY may name thousands of URLs.
struct SetupNames {
    /// The place of each URI.
    private var places: [String: Int] = [:]
    /// The URIs with the same last segment of the path, in order.
    private var namesakes: [Substring: [(uri: String, place: Int)]] = [:]

    /// URIs with the same last segment that are compared; of more, the first stands for all.
    private static let mostCompared = 16

    /// The place of a URI that was added.
    func place(of uri: String) -> Int? { places[uri] }

    mutating func add(_ uri: String, at place: Int) {
        guard places[uri] == nil else { return }
        places[uri] = place
        namesakes[Self.lastSegment(uri), default: []].append((uri, place))
    }

    /// The setup that `url` names: the one with just this URI; else one of which the other is the end; else the first whose
    /// path has the same last segment.
    func index(of url: String) -> Int? {
        if let place = places[url] { return place }
        let segment = Self.lastSegment(url)
        guard !segment.isEmpty, let list = namesakes[segment] else { return nil }
        let related = list.prefix(Self.mostCompared).first { Self.ends($0.uri, in: url) || Self.ends(url, in: $0.uri) }
        return related?.place ?? list.first?.place
    }

    private static func ends(_ text: String, in end: String) -> Bool {
        text.utf8.count >= end.utf8.count && text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }

    /// What stands behind the last slash, one at the very end not counted.
    private static func lastSegment(_ url: String) -> Substring {
        url.utf8.split(separator: ASCII.slash).last.map { Substring($0) } ?? ""
    }
}
