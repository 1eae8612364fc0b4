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

    /// The sequence number of a packet in the lowest 16 bits, and a hash of its content above; 0 if there is none.
    private var contents = [UInt64](repeating: 0, count: most)

    /// Records a packet.
    mutating func note(_ header: RTPHeader, _ payload: RawSpan) {
        let isWhole = payload.byteCount == header.payloadLength
        note(
            header.sequenceNumber,
            isWhole ? Self.entry(header.sequenceNumber, header.payloadType, header.timestamp, payload) : 0)
    }

    /// Records a whole packet.
    mutating func note(_ number: UInt16, payloadType: UInt8, timestamp: UInt32, _ payload: RawSpan) {
        note(number, Self.entry(number, payloadType, timestamp, payload))
    }

    @inline(__always)
    private mutating func note(_ number: UInt16, _ entry: UInt64) {
        let place = Int(number) & (Self.most - 1)
        guard contents.indices.contains(place) else { return }
        contents[place] = entry
    }

    /// Returns whether the packet with this number had other content.
    func differs(_ header: RTPHeader, _ payload: RawSpan) -> Bool {
        let place = Int(header.sequenceNumber) & (Self.most - 1)
        let number = header.sequenceNumber
        guard payload.byteCount == header.payloadLength, contents.indices.contains(place), contents[place] != 0,
            UInt16(truncatingIfNeeded: contents[place]) == number
        else { return false }
        return Self.entry(number, header.payloadType, header.timestamp, payload) != contents[place]
    }

    /// Returns a sequence number with a hash of the start of the payload, its payload type and timestamp, which is not 0.
    private static func entry(_ number: UInt16, _ payloadType: UInt8, _ timestamp: UInt32, _ payload: RawSpan) -> UInt64
    {
        var hash = UInt64(payloadType) << 32 | UInt64(timestamp)
        // Rotated instead of multiplied, since each multiplication would wait for the one before.
        func add(_ value: UInt64) { hash = (hash &<< 11 | hash &>> 53) ^ value }
        let count = max(0, min(octets, payload.byteCount &- tag))
        var offset = 0
        while offset &+ 8 <= count, let word = payload.uint64(at: offset) {
            add(word)
            offset &+= 8
        }
        while offset < count, let octet = payload.byte(at: offset) {
            add(UInt64(octet))
            offset &+= 1
        }
        let (high, low) = (hash ^ UInt64(payload.byteCount) << 48).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return ((high ^ low) | 1 << 16) & ~0xFFFF | UInt64(number)
    }
}
