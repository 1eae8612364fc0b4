import WeirPackets

/// The parameter sets of a video stream, compared with those of its description.
package struct ParameterSetLog: Sendable {
    /// A frame and its time.
    package typealias Place = (frame: Int, time: Timestamp)

    /// Octets of a set that are compared.
    private static let most = 512

    /// The announced sets, by NAL unit type.
    private var announced: [UInt8: [[UInt8]]] = [:]
    /// Where the first set of each type was received.
    private var first: [(type: UInt8, place: Place)] = []
    /// Where the first set of each type was received that was not announced.
    private var unannounced: [(type: UInt8, place: Place)] = []
    /// The first picture at which decoding can start, and the types received before it; nil if packets before it are
    /// missing.
    package private(set) var keyframe: (place: Place, types: [UInt8])?

    /// Sets the announced sets, each with its type.
    mutating func announce(_ units: [[UInt8]], type: ([UInt8]) -> UInt8?) {
        announced = [:]
        for unit in units {
            guard let type = type(unit) else { continue }
            announced[type, default: []].append(Self.trimmed(unit[...]))
        }
    }

    /// Returns whether a set of a type was received.
    package func wasReceived(_ type: UInt8) -> Bool { first.contains { $0.type == type } }

    /// Returns where the first set of a type was received that was not announced.
    package func foreign(_ type: UInt8) -> Place? { unannounced.first { $0.type == type }?.place }

    /// Whether a set of an announced type was received.
    package var hasAnnounced: Bool { first.contains { isAnnounced($0.type) } }

    /// Returns whether sets of a type were announced.
    package func isAnnounced(_ type: UInt8) -> Bool { announced[type] != nil }

    /// Records a set, of which the octets are nil if they are not known completely. Sets may be added during a session:
    /// with `isSame`, only a set that replaces an announced one is foreign.
    mutating func note(
        _ type: UInt8, _ octets: [UInt8]?, at place: Place,
        replaces isSame: ([UInt8], [UInt8]) -> Bool = { _, _ in true }
    ) {
        if !wasReceived(type) { first.append((type, place)) }
        guard foreign(type) == nil, let octets, let known = announced[type] else { return }
        let own = Self.trimmed(octets[...])
        guard !known.contains(own), known.contains(where: { isSame($0, own) }) else { return }
        unannounced.append((type, place))
    }

    /// Records the first key frame.
    mutating func noteKeyframe(at place: Place) { keyframe = (place, first.map(\.type)) }

    /// Returns the types that were neither announced nor received before the first key frame.
    package func missing(_ types: [UInt8]) -> [UInt8] {
        guard let keyframe else { return [] }
        return types.filter { announced[$0] == nil && !keyframe.types.contains($0) }
    }

    /// Zero octets after a NAL unit belong to the byte stream (H.264 annex B).
    private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var unit = unit.prefix(most)
        while unit.count > 1, unit.last == 0 { unit.removeLast() }
        return Array(unit)
    }
}
