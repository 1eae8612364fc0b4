import WeirPackets

/// Encodes a capture file piece by piece: header, packets, end.
///
/// Timestamps are in nanoseconds. pcapng (draft-ietf-opsawg-pcapng) is written in little-endian byte order, with the
/// drop count before each packet, and interface statistics at the end.
package struct CaptureEncoder: Sendable {
    /// The format.
    package let format: CaptureFile.Format

    private let interfaces: [LiveCapture.Interface]
    private let application: String
    private let filter: String?

    /// Creates an encoder for frames of `interfaces`, or returns nil if the format does not support them: pcap has a
    /// single link type.
    package init?(
        _ format: CaptureFile.Format, interfaces: [LiveCapture.Interface], filter: String?, application: String
    ) {
        if format == .pcap, Set(interfaces.map(\.linkType)).count != 1 { return nil }
        self.format = format
        self.interfaces = interfaces
        self.filter = filter
        self.application = application
    }

    /// The file header.
    package var header: [UInt8] {
        format == .pcap ? pcapHeader : pcapngHeader
    }

    /// Appends a packet; `drops` packets of its interface were dropped since the previous one.
    package func append(_ frame: borrowing Frame, drops: Int, to octets: inout [UInt8]) {
        if format == .pcap { pcapRecord(frame, &octets) } else { pcapngPacket(frame, drops, &octets) }
    }

    /// Returns the statistics of an interface whose capture ended: the counts for this file, and the time. Empty for
    /// pcap, which has no such record.
    package func end(of interface: Int, _ counts: LiveStatistics, at end: Timestamp) -> [UInt8] {
        var octets: [UInt8] = []
        guard format == .pcapng else { return octets }
        octets.block(5) { body in
            body.uint32(UInt32(clamping: interface))
            body.time(end)
            body.option(3) { $0.time(end) }
            body.option(4) { $0.uint64(UInt64(clamping: counts.received)) }
            body.option(5) { $0.uint64(UInt64(clamping: counts.droppedByInterface)) }
            body.option(7) { $0.uint64(UInt64(clamping: counts.dropped)) }
            body.endOfOptions()
        }
        return octets
    }

    // MARK: - pcap

    private var pcapHeader: [UInt8] {
        var octets: [UInt8] = []
        octets.uint32(0xA1B2_3C4D)
        octets.uint16(2)
        octets.uint16(4)
        octets.uint32(0)
        octets.uint32(0)
        octets.uint32(UInt32(clamping: interfaces.map(\.snapLength).max() ?? 262_144))
        octets.uint32(UInt32(clamping: interfaces.first?.linkType.rawValue ?? 1))
        return octets
    }

    private func pcapRecord(_ frame: borrowing Frame, _ octets: inout [UInt8]) {
        let time = UInt64(clamping: frame.info.time.nanoseconds)
        octets.uint32(UInt32(truncatingIfNeeded: time / 1_000_000_000))
        octets.uint32(UInt32(truncatingIfNeeded: time % 1_000_000_000))
        octets.uint32(UInt32(clamping: frame.bytes.byteCount))
        octets.uint32(UInt32(clamping: frame.info.originalLength))
        octets.append(frame.bytes)
    }

    // MARK: - pcapng

    private var pcapngHeader: [UInt8] {
        var octets: [UInt8] = []
        octets.block(0x0A0D_0D0A) { body in
            body.uint32(0x1A2B_3C4D)
            body.uint16(1)
            body.uint16(0)
            // The section length is unspecified.
            body.uint64(UInt64.max)
            body.option(4) { $0 += Array(application.utf8) }
            body.endOfOptions()
        }
        for interface in interfaces { octets += description(of: interface) }
        return octets
    }

    /// Returns the description of an interface, which precedes its first packet in pcapng.
    package func description(of interface: LiveCapture.Interface) -> [UInt8] {
        var octets: [UInt8] = []
        octets.block(1) { body in
            body.uint16(UInt16(clamping: interface.linkType.rawValue))
            body.uint16(0)
            body.uint32(UInt32(clamping: interface.snapLength))
            body.option(2) { $0 += Array(interface.name.utf8) }
            // Nanoseconds: 10 to the power of -9.
            body.option(9) { $0.append(9) }
            // The first octet marks a filter string in libpcap syntax.
            if let filter { body.option(11) { $0 += [0] + Array(filter.utf8) } }
            body.endOfOptions()
        }
        return octets
    }

    /// Returns a Decryption Secrets Block with lines of a key log, which precedes the packets that need them in pcapng.
    package static func secrets(_ keyLog: [UInt8]) -> [UInt8] {
        var octets: [UInt8] = []
        octets.block(10) { body in
            // `TLSK`, a key log.
            body.uint32(0x544C_534B)
            body.uint32(UInt32(clamping: keyLog.count))
            body += keyLog
            for _ in 0..<(-keyLog.count & 3) { body.append(0) }
        }
        return octets
    }

    private func pcapngPacket(_ frame: borrowing Frame, _ drops: Int, _ octets: inout [UInt8]) {
        let length = frame.bytes.byteCount
        let padding = -length & 3
        let total = UInt32(clamping: 32 + length + padding + (drops > 0 ? 16 : 0))
        octets.uint32(6)
        octets.uint32(total)
        octets.uint32(UInt32(clamping: frame.info.interface))
        octets.time(frame.info.time)
        octets.uint32(UInt32(clamping: length))
        octets.uint32(UInt32(clamping: frame.info.originalLength))
        octets.append(frame.bytes)
        for _ in 0..<padding { octets.append(0) }
        if drops > 0 {
            octets.option(4) { $0.uint64(UInt64(clamping: drops)) }
            octets.endOfOptions()
        }
        octets.uint32(total)
    }
}

/// Little-endian integers, and the blocks and options built from them.
extension [UInt8] {
    fileprivate mutating func uint16(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func uint32(_ value: UInt32) {
        uint16(UInt16(truncatingIfNeeded: value))
        uint16(UInt16(truncatingIfNeeded: value >> 16))
    }

    fileprivate mutating func uint64(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value))
        uint32(UInt32(truncatingIfNeeded: value >> 32))
    }

    /// Appends a timestamp, upper half first in either byte order.
    fileprivate mutating func time(_ time: Timestamp) {
        let value = UInt64(clamping: time.nanoseconds)
        uint32(UInt32(truncatingIfNeeded: value >> 32))
        uint32(UInt32(truncatingIfNeeded: value))
    }

    fileprivate mutating func append(_ bytes: RawSpan) {
        // Sound: the view is valid as long as its owner, which this call does not change. Bound to octets it is copied
        // as a whole; as raw memory, one by one.
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0.bindMemory(to: UInt8.self)) }
    }

    fileprivate mutating func block(_ type: UInt32, _ fill: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        fill(&body)
        let length = UInt32(clamping: body.count &+ 12)
        uint32(type)
        uint32(length)
        self += body
        uint32(length)
    }

    fileprivate mutating func option(_ code: UInt16, _ fill: (inout [UInt8]) -> Void) {
        var value: [UInt8] = []
        fill(&value)
        // Names and filters have any length; the length of an option is limited.
        let kept = value.prefix(Int(UInt16.max) - 3)
        uint16(code)
        uint16(UInt16(clamping: kept.count))
        self += kept
        for _ in 0..<(-kept.count & 3) { append(0) }
    }

    fileprivate mutating func endOfOptions() {
        uint32(0)
    }
}
