/// The payload formats of a stream, by payload type. There are few, and searching them takes less than hashing.
package struct StreamFormats: Sendable {
    private var list: [(type: UInt8, format: MediaFormat)] = []

    /// The number of payload types.
    var count: Int { list.count }
    /// The formats.
    var all: some Sequence<MediaFormat> { list.lazy.map(\.format) }

    /// The format of a payload type.
    package subscript(_ type: UInt8) -> MediaFormat? {
        get {
            for known in list where known.type == type { return known.format }
            return nil
        }
        set {
            let index = list.firstIndex { $0.type == type }
            switch (index, newValue) {
            case (let index?, let format?): list[index].format = format
            case (let index?, nil): list.remove(at: index)
            case (nil, let format?): list.append((type, format))
            case (nil, nil): break
            }
        }
    }

    /// Removes the matching formats.
    mutating func removeAll(where matches: (MediaFormat) -> Bool) { list.removeAll { matches($0.format) } }
}
