import WeirPackets

// Payloads that are cut within packets, as in TCP and in the file mode of SRT.

extension TransportStream {
    /// What is known of the packet that the next payload continues.
    struct Joint: Sendable {
        /// The start of a packet that the next octets complete.
        var rest: [UInt8] = []
        /// Whether payloads do not consist of whole packets.
        var isCutAnywhere = false
        /// Whether the beginning of the next packet is unknown.
        var lacksStart = false

        /// Handles loss before the next octets.
        mutating func lose() {
            rest = []
            lacksStart = true
        }
    }

    /// Processes octets that may end within a packet, which the next ones continue.
    package mutating func take(joining bytes: RawSpan, at time: Timestamp) -> Faults {
        if bytes.byteCount % Self.packetLength != 0 { joint.isCutAnywhere = true }
        var bytes = bytes
        if joint.isCutAnywhere, joint.lacksStart {
            guard let start = Self.start(in: bytes) else { return [] }
            bytes = bytes.clamped(start)
        }
        joint.lacksStart = false
        guard !joint.rest.isEmpty || bytes.byteCount % Self.packetLength != 0 else { return take(bytes, at: time) }
        let joined = joint.rest + bytes.array()
        let whole = joined.count - joined.count % Self.packetLength
        let found = take(joined.rawSpan.clamped(0, whole), at: time)
        // Without the sync byte, the next octets may begin a packet.
        joint.rest = found.contains(.sync) ? [] : Array(joined[whole...])
        return found
    }

    /// Returns the offset of the first packet, by the sync bytes of all that follow, at least two.
    private static func start(in bytes: RawSpan) -> Int? {
        (0..<packetLength).first { offset in
            offset &+ packetLength < bytes.byteCount && mayBegin(bytes.clamped(offset))
        }
    }

    /// Returns whether octets begin with whole packets of a transport stream, of which the last may be incomplete.
    package static func mayBegin(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount >= packetLength else { return false }
        return stride(from: 0, to: bytes.byteCount, by: packetLength).allSatisfy { bytes.byte(at: $0) == syncByte }
    }
}
