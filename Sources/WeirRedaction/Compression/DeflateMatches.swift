/// Where octets of a text occurred before (RFC 1951 §3.2.5): the parts of which a compressed text can consist.
struct DeflateMatches {
    /// A part that was there before: its length, and how far back.
    struct Match {
        let length: Int
        let distance: Int
    }

    static let shortest = 3
    static let longest = 258
    /// A match of so many octets is taken as a whole: others would hardly be shorter, and the search would take long.
    static let certain = 64
    /// Earlier places that are looked at.
    private static let mostTried = 128

    /// The octets before the text, and the text.
    let octets: [UInt8]
    /// The place of the text's first octet.
    let start: Int
    /// Matches by their place from `start` on: each is longer than the one before it, which is nearer. None within a match that is
    /// taken as a whole.
    private(set) var matches: [[Match]]

    /// Finds the matches of a text behind others, at most `farthest` octets back.
    init(_ text: [UInt8], behind window: ArraySlice<UInt8>, farthest: Int) {
        octets = window + text
        start = window.count
        matches = Array(repeating: [], count: text.count)
        var latest: [UInt32: Int] = [:]
        var previous = [Int](repeating: -1, count: octets.count)
        var next = start
        for place in octets.indices.dropLast(Self.shortest - 1) {
            let key = UInt32(octets[place]) << 16 | UInt32(octets[place + 1]) << 8 | UInt32(octets[place + 2])
            let earlier = latest[key] ?? -1
            if place >= next {
                let found = find(place, earlier, previous, farthest)
                matches[place - start] = found
                if let longest = found.last, longest.length >= Self.certain { next = place + longest.length }
            }
            previous[place] = earlier
            latest[key] = place
        }
    }

    private func find(_ place: Int, _ first: Int, _ previous: [Int], _ farthest: Int) -> [Match] {
        var found: [Match] = []
        var candidate = first
        var tried = 0
        let most = min(Self.longest, octets.count - place)
        while candidate >= 0, place - candidate <= farthest, tried < Self.mostTried {
            let length = commonLength(candidate, place, most)
            if length > (found.last?.length ?? Self.shortest - 1) {
                found.append(Match(length: length, distance: place - candidate))
                if length == most { break }
            }
            candidate = previous[candidate]
            tried += 1
        }
        return found
    }

    private func commonLength(_ earlier: Int, _ place: Int, _ most: Int) -> Int {
        var length = 0
        while length < most, octets[earlier + length] == octets[place + length] { length += 1 }
        return length
    }
}
