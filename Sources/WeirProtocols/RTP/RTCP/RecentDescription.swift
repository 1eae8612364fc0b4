import WeirPackets

/// The latest source description of one side of a flow: most descriptions repeat the one before, and are not parsed again.
package final class RecentDescription {
    private var latest: (count: UInt8, octets: [UInt8], description: SourceDescription)?
    /// The octets above which a description is not kept.
    private static let most = 512

    package init() {}

    /// Returns the description if it has these octets.
    func description(_ count: UInt8, _ octets: RawSpan) -> SourceDescription? {
        guard let latest, latest.count == count, latest.octets.count == octets.byteCount else { return nil }
        let known = latest.octets.rawSpan
        var offset = 0
        while let word = octets.uint32(at: offset) {
            guard word == known.uint32(at: offset) else { return nil }
            offset &+= 4
        }
        while let octet = octets.byte(at: offset) {
            guard octet == known.byte(at: offset) else { return nil }
            offset &+= 1
        }
        return latest.description
    }

    /// Keeps a description with its octets.
    func note(_ description: SourceDescription, _ count: UInt8, _ octets: RawSpan) {
        latest = octets.byteCount <= Self.most ? (count, octets.array(), description) : nil
    }
}
