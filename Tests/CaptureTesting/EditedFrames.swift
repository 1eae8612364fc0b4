import WeirPackets

/// Edits frames of Ethernet with IPv4 and leaves everything else unchanged.
extension KeptFrame {
    private static let ipStart = 14

    /// The ports of a datagram or segment, or nil for other frames.
    package var portNumbers: (source: UInt16, destination: UInt16)? {
        guard ports != nil, let start = transportStart else { return nil }
        return (number(at: start), number(at: start + 2))
    }

    /// The payload of a UDP datagram, or nil for other frames.
    package var datagram: ArraySlice<UInt8>? {
        guard let ports, !ports.isTCP, octets[23] == 17, let start = transportStart, octets.count > start + 8 else {
            return nil
        }
        return octets[(start + 8)...]
    }

    /// Whether the frame contains an IPv6 packet.
    package var isIPv6: Bool { octets.count > 14 && octets[12..<14].elementsEqual([0x86, 0xDD]) }

    private var transportStart: Int? {
        let start = Self.ipStart + Int(octets[Self.ipStart] & 15) * 4
        return octets.count >= start + 4 ? start : nil
    }

    private func number(at offset: Int) -> UInt16 { UInt16(octets[offset]) << 8 | UInt16(octets[offset + 1]) }

    /// Returns the frame with ports replaced according to a map.
    package func replacingPorts(_ others: [UInt16: UInt16]) -> Self {
        guard let start = transportStart, let ports = portNumbers else { return self }
        var frame = self
        for (offset, port) in [(start, ports.source), (start + 2, ports.destination)] {
            guard let other = others[port] else { continue }
            frame.octets[offset] = UInt8(other >> 8)
            frame.octets[offset + 1] = UInt8(other & 255)
        }
        return frame
    }

    /// Returns the frame with every occurrence of a text replaced by another of the same length.
    package func replacing(_ text: String, with other: String) -> Self {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        guard old.count == new.count, octets.count >= old.count else { return self }
        var frame = self
        for start in 0...(octets.count - old.count) where octets[start..<start + old.count].elementsEqual(old) {
            frame.octets.replaceSubrange(start..<start + old.count, with: new)
        }
        return frame
    }
}

extension [KeptFrame] {
    /// Returns both captures merged by time, with the other one starting `seconds` after the first frame of this one.
    package func merged(with others: [KeptFrame], after seconds: Double) -> [KeptFrame] {
        guard let first = first, let other = others.first else { return self }
        let shift = first.info.time.nanoseconds - other.info.time.nanoseconds + Int64(seconds * 1_000_000_000)
        let moved = others.map { frame in
            var frame = frame
            frame.info.time = Timestamp(nanoseconds: frame.info.time.nanoseconds + shift)
            return frame
        }
        return (self + moved).sorted { $0.info.time.nanoseconds < $1.info.time.nanoseconds }.numbered
    }

    /// The frames, renumbered as in a file.
    package var numbered: [KeptFrame] {
        enumerated().map { index, frame in
            var frame = frame
            frame.info.number = index + 1
            return frame
        }
    }

    /// Seconds from the first frame to the last.
    package var seconds: Double {
        guard let first, let last else { return 0 }
        return last.info.time.seconds(since: first.info.time)
    }
}
