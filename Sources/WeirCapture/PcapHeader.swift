import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The header of a file in the classic format, and what it says of the records behind it.
///
/// libpcap reads it, and so decides what is a capture, which link type it has, and what a snap length means.
struct PcapHeader {
    /// Octets of the header.
    static let length = 24

    /// Which of the two lengths of a record comes first.
    private enum LengthOrder {
        case capturedFirst
        case originalFirst
        /// Some programs wrote the new version and the old order: the captured length is the smaller one.
        case capturedIsSmaller
    }

    /// Why libpcap does not take a header.
    struct Refusal: Error {
        let reason: String
    }

    /// The only link type of the file.
    let linkType: LinkType
    /// Octets of a packet that the capture kept at most.
    let snapLength: Int
    /// Octets in front of each packet.
    let recordHeaderLength: Int
    /// Nanoseconds of one unit of the fraction of a second.
    let nanosecondsPerUnit: Int64
    /// Whether numbers are in the other byte order than this machine's.
    let isSwapped: Bool
    /// Octets of a packet beyond which a record is damaged.
    let largestPacket: Int
    private let lengthOrder: LengthOrder

    /// Whether a file that begins with `octets` (four, or all that there are) is of this format.
    static func recognizes(_ octets: [UInt8]) -> Bool {
        !octets.isEmpty && magicNumbers.contains { $0.starts(with: octets) || $0.reversed().starts(with: octets) }
    }

    /// Microseconds, nanoseconds, and Kuznetzov's records with eight octets more.
    private static let magicNumbers: [[UInt8]] = [[0xA1, 0xB2, 0xC3, 0xD4], nanoseconds, modified]
    private static let nanoseconds: [UInt8] = [0xA1, 0xB2, 0x3C, 0x4D]
    private static let modified: [UInt8] = [0xA1, 0xB2, 0xCD, 0x34]

    /// Reads a header.
    init(_ octets: [UInt8]) throws(Refusal) {
        (linkType, snapLength) = try Self.read(octets)
        let magic = Array(octets.prefix(4))
        let isBigEndian = magic.first == 0xA1
        isSwapped = isBigEndian != (UInt16(1).bigEndian == 1)
        recordHeaderLength = magic == Self.modified || magic == Self.modified.reversed() ? 24 : 16
        nanosecondsPerUnit = magic == Self.nanoseconds || magic == Self.nanoseconds.reversed() ? 1 : 1_000
        largestPacket = Self.largestPacket(linkType)
        let version = octets.dropFirst(4).prefix(4).map(Int.init)
        let major = isBigEndian ? version[0] << 8 | version[1] : version[1] << 8 | version[0]
        let minor = isBigEndian ? version[2] << 8 | version[3] : version[3] << 8 | version[2]
        // The lengths changed places in version 2.3; DG/UX wrote 543.0 and the old order.
        lengthOrder =
            switch (major, minor) {
            case (2, ..<3), (543, _): .originalFirst
            case (2, 3): .capturedIsSmaller
            default: .capturedFirst
            }
    }

    private static func read(_ octets: [UInt8]) throws(Refusal) -> (LinkType, Int) {
        var octets = octets
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        let precision = UInt32(PCAP_TSTAMP_PRECISION_NANO)
        // Sound: the stream is closed, with the handle or without, before the octets go away; the message buffer has the
        // size that libpcap documents.
        let result: (LinkType, Int)? = unsafe octets.withUnsafeMutableBytes { buffer in
            guard let stream = unsafe fmemopen(buffer.baseAddress, buffer.count, "r") else { return nil }
            guard let handle = unsafe pcap_fopen_offline_with_tstamp_precision(stream, precision, &message) else {
                unsafe fclose(stream)
                return nil
            }
            defer { unsafe pcap_close(handle) }
            return unsafe (LinkType(libpcapType: pcap_datalink(handle)), Int(pcap_snapshot(handle)))
        }
        guard let result else {
            let text = message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            throw Refusal(reason: text.isEmpty ? "no memory for a stream" : String(decoding: text, as: UTF8.self))
        }
        return result
    }

    /// What libpcap takes for possible: little, but for buses that are captured in large pieces.
    private static func largestPacket(_ linkType: LinkType) -> Int {
        switch linkType.rawValue {
        case 189, 220, 231, 249, 266: 128 << 20
        case 279: 8 << 20
        default: 262_144
        }
    }

    /// The captured and the original length of a packet, from the two numbers of its record.
    @inline(__always)
    func lengths(_ first: UInt32, _ second: UInt32) -> (captured: Int, original: Int) {
        switch lengthOrder {
        case .capturedFirst: (Int(first), Int(second))
        case .originalFirst: (Int(second), Int(first))
        case .capturedIsSmaller: (Int(min(first, second)), Int(max(first, second)))
        }
    }
}
