import WeirPackets
import WeirTesting

/// Synthetic RTP and RTCP between two hosts.
///
/// The sender is 10.0.0.1 with ports 5000 and 5001, the receiver 10.0.0.2 with 6000 and 6001. Times are seconds from
/// the start.
package struct MadeMedia: Sendable {
    /// The SSRC of the media.
    package static let ssrc: UInt32 = 0x1122_3344
    private static let sender = IPAddress(ipv4: 0x0A00_0001)
    private static let receiver = IPAddress(ipv4: 0x0A00_0002)
    private static let begin: Int64 = 1_700_000_000
    /// Seconds from the NTP epoch (1900) to the start.
    private static let beginOfNTP = UInt64(begin) + 2_208_988_800

    private var packets: [(time: Double, octets: [UInt8])] = []

    /// Creates an empty capture.
    package init() {}

    /// The frames, sorted by time.
    package var frames: [KeptFrame] {
        packets.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .enumerated().map { index, packet in
                let time = Self.begin * 1_000_000_000 + Int64(packet.element.time * 1_000_000_000)
                return KeptFrame(
                    packet: packet.element.octets, number: index + 1, time: Timestamp(nanoseconds: time))
            }
    }

    /// Removes the packets for whose times `isLost` returns true.
    package mutating func lose(_ isLost: (Double) -> Bool) { packets.removeAll { isLost($0.time) } }

    /// Adds an RTP packet.
    package mutating func media(
        at time: Double, _ sequence: Int, timestamp: Int, type: UInt8 = 0, marker: Bool = false, ssrc: UInt32 = ssrc,
        _ payload: [UInt8] = [UInt8](repeating: 0xD5, count: 160)
    ) {
        let header: [UInt8] = [
            0x80, type | (marker ? 0x80 : 0), UInt8(truncatingIfNeeded: sequence >> 8),
            UInt8(truncatingIfNeeded: sequence),
        ]
        add(time, header + Self.word(UInt32(truncatingIfNeeded: timestamp)) + Self.word(ssrc) + payload, port: 0)
    }

    /// Adds audio, one packet every 20 ms, except those for which `isMissing` returns true; sequence numbers start at
    /// `first`.
    package mutating func sound(
        _ count: Int, first: Int = 1_000, at start: Double = 0, ssrc: UInt32 = ssrc,
        without isMissing: (Int) -> Bool = { _ in false }
    ) {
        for index in 0..<count where !isMissing(index) {
            media(at: start + Double(index) * 0.02, first + index, timestamp: index * 160, ssrc: ssrc)
        }
    }

    /// Adds a sender report with the packet count of `sound` so far, or the given count; returns the value of LSR in
    /// reception reports.
    @discardableResult
    package mutating func senderReport(
        at time: Double, counting said: UInt32? = nil, each octets: UInt32 = 160, wallClock: Double? = nil
    ) -> UInt32 {
        let count = UInt32(time / 0.02)
        let ntp = Self.beginOfNTP << 32 + UInt64((wallClock ?? time) * 4_294_967_296)
        var report: [UInt8] = [0x80, 200, 0, 6] + Self.word(Self.ssrc)
        report += Self.word(UInt32(truncatingIfNeeded: ntp >> 32)) + Self.word(UInt32(truncatingIfNeeded: ntp))
        report += Self.word(count * 160) + Self.word(said ?? count) + Self.word((said ?? count) * octets)
        add(time, report + Self.name(Self.ssrc), port: 1)
        return UInt32(truncatingIfNeeded: ntp >> 16)
    }

    /// Adds a receiver report about the media; `lost` is the fraction lost in the highest octet, and the cumulative loss.
    package mutating func receiverReport(
        at time: Double, lost: UInt32 = 0, highest: UInt32 = 0, lastReport: UInt32 = 0
    ) {
        var report = Self.emptyReport
        report[0] = 0x81
        report[3] = 7
        report += Self.word(Self.ssrc) + Self.word(lost) + Self.word(highest) + Self.word(0) + Self.word(lastReport)
        add(time, report + Self.word(0) + Self.name(0x55), port: 1, isBack: true)
    }

    /// Adds a retransmission request for a packet (NACK).
    package mutating func request(_ sequence: Int, at time: Double) {
        let request: [UInt8] =
            [0x81, 205, 0, 3, 0, 0, 0, 0x55] + Self.word(Self.ssrc)
            + [UInt8(truncatingIfNeeded: sequence >> 8), UInt8(truncatingIfNeeded: sequence), 0, 0]
        add(time, Self.emptyReport + Self.name(0x55) + request, port: 1, isBack: true)
    }

    /// Adds a full intra request (FIR).
    package mutating func requestPicture(_ number: UInt8, at time: Double) {
        let request: [UInt8] =
            [0x84, 206, 0, 4, 0, 0, 0, 0x55, 0, 0, 0, 0] + Self.word(Self.ssrc) + [number, 0, 0, 0]
        add(time, Self.emptyReport + Self.name(0x55) + request, port: 1, isBack: true)
    }

    /// Adds a BYE of the media's source.
    package mutating func bye(at time: Double) {
        let report: [UInt8] = [0x80, 201, 0, 1] + Self.word(Self.ssrc)
        add(time, report + Self.name(Self.ssrc) + [0x81, 203, 0, 1] + Self.word(Self.ssrc), port: 1)
    }

    private static let emptyReport: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 0x55]

    /// An SDES packet with a CNAME.
    private static func name(_ source: UInt32) -> [UInt8] {
        [0x81, 202, 0, 3] + word(source) + [1, 4, 0x63, 0x61, 0x6D, 0x31, 0, 0]
    }

    private static func word(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }

    private mutating func add(_ time: Double, _ payload: [UInt8], port: UInt16, isBack: Bool = false) {
        let source = Endpoint(address: Self.sender, port: 5_000 + port)
        let destination = Endpoint(address: Self.receiver, port: 6_000 + port)
        packets.append(
            (
                time,
                isBack
                    ? PacketBuilder.udp(payload, from: destination, to: source)
                    : PacketBuilder.udp(payload, from: source, to: destination)
            ))
    }
}
