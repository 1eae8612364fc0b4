import WeirPackets

/// A healthy capture whose media packets can be modified; lengths and checksums of the outer headers are updated, so
/// that the planted fault is the only one.
package struct PlantedCapture: Sendable {
    /// The frames, including the modified ones.
    package private(set) var frames: [KeptFrame]
    /// Numbers of the modified frames, in order.
    package private(set) var changed: [Int] = []

    /// Loads a capture of UDP in Ethernet and IPv4 without options.
    package init(_ path: String) throws {
        frames = try KeptFrame.read(path)
    }

    /// Passes each RTP packet of a payload type to `change`, with its index among them; where `change` returns true,
    /// its octets replace the packet.
    package mutating func change(payloadType: UInt8, _ change: (inout [UInt8], Int) -> Bool) {
        var number = 0
        for index in frames.indices {
            guard let start = Self.datagram(frames[index].octets) else { continue }
            var packet = Array(frames[index].octets[start...])
            guard packet.count > 12, packet[0] >> 6 == 2, packet[1] & 0x7F == payloadType else { continue }
            defer { number += 1 }
            guard change(&packet, number) else { continue }
            replace(index, from: start, by: packet)
        }
    }

    /// Passes each RTCP datagram to `change` in the same way.
    package mutating func changeReports(_ change: (inout [UInt8], Int) -> Bool) {
        var number = 0
        for index in frames.indices {
            guard let start = Self.datagram(frames[index].octets) else { continue }
            var packet = Array(frames[index].octets[start...])
            guard packet.count >= 8, packet[0] >> 6 == 2, 200...207 ~= packet[1] else { continue }
            defer { number += 1 }
            guard change(&packet, number) else { continue }
            replace(index, from: start, by: packet)
        }
    }

    /// Inserts copies of each RTCP datagram at intervals in nanoseconds, after passing each to `change`.
    package mutating func repeatReports(_ count: Int, every interval: Int64, _ change: (inout [UInt8]) -> Void) {
        for index in frames.indices {
            guard let start = Self.datagram(frames[index].octets) else { continue }
            let packet = Array(frames[index].octets[start...])
            guard packet.count >= 8, packet[0] >> 6 == 2, 200...207 ~= packet[1] else { continue }
            for copy in 1...count {
                var (frame, changed) = (frames[index], packet)
                change(&changed)
                // Otherwise they would be packets that the capture contains twice.
                frame.octets[18] &+= UInt8(truncatingIfNeeded: copy)
                frame.info.time = Timestamp(nanoseconds: frame.info.time.nanoseconds &+ Int64(copy) &* interval)
                frames.append(frame)
                replace(frames.count - 1, from: start, by: changed)
            }
        }
        frames.sort { ($0.info.time, $0.info.number) < ($1.info.time, $1.info.number) }
        for index in frames.indices {
            let info = frames[index].info
            frames[index].info = FrameInfo(
                number: index + 1, time: info.time, capturedLength: info.capturedLength,
                originalLength: info.originalLength, linkType: info.linkType)
        }
    }

    private mutating func replace(_ index: Int, from start: Int, by packet: [UInt8]) {
        var octets = Array(frames[index].octets[..<start]) + packet
        let length = octets.count - 14
        octets[16] = UInt8(length >> 8)
        octets[17] = UInt8(length & 0xFF)
        let datagram = packet.count + 8
        octets[start - 4] = UInt8(datagram >> 8)
        octets[start - 3] = UInt8(datagram & 0xFF)
        // UDP without a checksum, which IPv4 allows.
        octets[start - 2] = 0
        octets[start - 1] = 0
        Self.mendHeaderChecksum(&octets, start - 8)
        frames[index].octets = octets
        frames[index].info = FrameInfo(
            number: frames[index].info.number, time: frames[index].info.time, capturedLength: octets.count,
            originalLength: octets.count, linkType: frames[index].info.linkType)
        changed.append(frames[index].info.number)
    }

    /// Returns the offset of the UDP payload, or nil if the frame has none.
    private static func datagram(_ octets: [UInt8]) -> Int? {
        guard octets.count > 42, octets[12] == 8, octets[13] == 0, octets[14] >> 4 == 4, octets[23] == 17,
            octets[20] & 0x3F == 0, octets[21] == 0
        else { return nil }
        let start = 14 + Int(octets[14] & 0x0F) * 4 + 8
        let end = 14 + (Int(octets[16]) << 8 | Int(octets[17]))
        return start <= octets.count && end == octets.count ? start : nil
    }

    private static func mendHeaderChecksum(_ octets: inout [UInt8], _ end: Int) {
        octets[24] = 0
        octets[25] = 0
        var sum: UInt32 = 0
        for index in stride(from: 14, to: end, by: 2) {
            sum += UInt32(octets[index]) << 8 | UInt32(octets[index + 1])
        }
        while sum >> 16 != 0 { sum = sum & 0xFFFF + sum >> 16 }
        octets[24] = UInt8(truncatingIfNeeded: ~sum >> 8)
        octets[25] = UInt8(truncatingIfNeeded: ~sum)
    }
}
