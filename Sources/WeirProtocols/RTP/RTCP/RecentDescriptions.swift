import WeirEngine
import WeirPackets

/// The latest source descriptions of one side of a flow. Most descriptions repeat the previous one of their source, and
/// are not parsed again.
package final class RecentDescriptions {
    private struct Known {
        var count: UInt8
        var octets: [UInt8]
        var description: SourceDescription
    }

    private var known = Lent<[Known]>([])
    /// The maximum number of descriptions: the sources of interleaved media share a flow.
    private static let most = 4
    /// The octets above which a description is not kept.
    private static let mostOctets = 512

    /// Creates an empty list.
    package init() {}

    /// Returns the description with these octets, if it is one of the latest.
    func description(_ count: UInt8, _ octets: RawSpan) -> SourceDescription? {
        let list = known.current
        for index in list.indices where list[index].count == count && Self.isEqual(octets, list[index].octets) {
            return list[index].description
        }
        return nil
    }

    private static func isEqual(_ octets: RawSpan, _ known: [UInt8]) -> Bool {
        guard known.count == octets.byteCount else { return false }
        let known = known.rawSpan
        var offset = 0
        while let word = octets.uint32(at: offset) {
            guard word == known.uint32(at: offset) else { return false }
            offset &+= 4
        }
        while let octet = octets.byte(at: offset) {
            guard octet == known.byte(at: offset) else { return false }
            offset &+= 1
        }
        return true
    }

    /// Keeps a description with its octets.
    func note(_ description: SourceDescription, _ count: UInt8, _ octets: RawSpan) {
        guard octets.byteCount <= Self.mostOctets else { return }
        var taken = known.take()
        if taken.count == Self.most { taken.removeFirst() }
        taken.append(Known(count: count, octets: octets.array(), description: description))
        known.put(consume taken)
    }
}
