import WeirPackets

/// The parameter sets of a video stream, compared with those of its description.
package struct ParameterSetLog: Sendable {
    /// A frame and its time.
    package typealias Place = (frame: Int, time: Timestamp)

    /// Octets of a set that are compared.
    private static let most = 512

    /// The announced sets, each with its NAL unit type.
    private var announced: [(type: UInt8, octets: [UInt8])] = []
    /// Where the first set of each type was received.
    private var first: [(type: UInt8, place: Place)] = []
    /// Where the first set of each type was received that was not announced.
    private var unannounced: [(type: UInt8, place: Place)] = []
    /// The first picture at which decoding can start, and the types received before it; nil if packets before it are
    /// missing.
    package private(set) var keyframe: (place: Place, types: [UInt8])?

    /// Sets the announced sets, each with its type.
    mutating func announce(_ units: [[UInt8]], type: ([UInt8]) -> UInt8?) {
        announced = units.compactMap { unit in type(unit).map { ($0, Self.trimmed(unit)) } }
    }

    /// Returns whether a set of a type was received.
    package func wasReceived(_ type: UInt8) -> Bool { first.contains { $0.type == type } }

    /// Returns where the first set of a type was received that was not announced.
    package func foreign(_ type: UInt8) -> Place? { unannounced.first { $0.type == type }?.place }

    /// Whether a set of an announced type was received.
    package var hasAnnounced: Bool { first.contains { isAnnounced($0.type) } }

    /// Returns whether sets of a type were announced.
    package func isAnnounced(_ type: UInt8) -> Bool { announced.contains { $0.type == type } }

    /// Records a set, of which the octets are nil if they are not known completely. Sets may be added during a session:
    /// with `isSame`, only a set that replaces an announced one is foreign.
    mutating func note(
        _ type: UInt8, _ octets: [UInt8]?, at place: Place,
        replaces isSame: ([UInt8], [UInt8]) -> Bool = { _, _ in true }
    ) {
        if !wasReceived(type) { first.append((type, place)) }
        guard let octets, isAnnounced(type), foreign(type) == nil else { return }
        let own = Self.trimmed(octets)
        guard !announced.contains(where: { $0.type == type && $0.octets == own }),
            announced.contains(where: { $0.type == type && isSame($0.octets, own) })
        else { return }
        unannounced.append((type, place))
    }

    /// Records the first key frame.
    mutating func noteKeyframe(at place: Place) { keyframe = (place, first.map(\.type)) }

    /// Returns the types that were neither announced nor received before the first key frame.
    package func missing(_ types: [UInt8]) -> [UInt8] {
        guard let keyframe else { return [] }
        return types.filter { !isAnnounced($0) && !keyframe.types.contains($0) }
    }

    /// Zero octets after a NAL unit belong to the byte stream (H.264 annex B).
    private static func trimmed(_ unit: [UInt8]) -> [UInt8] {
        if unit.count <= most, unit.last != 0 { return unit }
        var unit = unit.prefix(most)
        while unit.count > 1, unit.last == 0 { unit.removeLast() }
        return Array(unit)
    }
}
