import WeirPackets

/// The contents of a stream's recent packets, to distinguish duplicates from other packets with the same sequence number.
///
/// Recorded only after the first repeated number: most streams have none.
struct RecentContents: Sendable {
    /// Packets recorded: a power of two.
    private static let most = 64
    /// Octets at the end of a payload that are not compared: the authentication tag of SRTP also covers the header
    /// extension, which may differ between duplicates.
    private static let tag = 16
    /// Octets compared.
    private static let octets = 40

    private struct Content: Sendable {
        var sequence: UInt16 = 0
        /// 0 if there is none.
        var hash: UInt64 = 0
    }

    private var contents = [Content](repeating: Content(), count: most)

    /// Records a packet.
    mutating func note(_ header: RTPHeader, _ payload: RawSpan) {
        let place = Int(header.sequenceNumber) & (Self.most - 1)
        guard contents.indices.contains(place) else { return }
        contents[place] = Content(sequence: header.sequenceNumber, hash: Self.hash(header, payload))
    }

    /// Returns whether the packet with this number had other content.
    func differs(_ header: RTPHeader, _ payload: RawSpan) -> Bool {
        let place = Int(header.sequenceNumber) & (Self.most - 1)
        guard contents.indices.contains(place), contents[place].sequence == header.sequenceNumber,
            contents[place].hash != 0
        else { return false }
        let hash = Self.hash(header, payload)
        return hash != 0 && hash != contents[place].hash
    }

    /// Returns a hash of the start of a payload with its payload type and timestamp (FNV-1a), or 0 if the payload is
    /// truncated.
    private static func hash(_ header: RTPHeader, _ payload: RawSpan) -> UInt64 {
        guard payload.byteCount == header.payloadLength else { return 0 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ value: UInt64) { hash = (hash ^ value) &* 0x0100_0000_01B3 }
        add(UInt64(header.payloadType))
        add(UInt64(header.timestamp))
        add(UInt64(header.payloadLength))
        for offset in 0..<max(0, min(octets, payload.byteCount &- tag)) { add(UInt64(payload.byte(at: offset) ?? 0)) }
        return hash | 1
    }
}
