import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The file header of the classic format, and the record format it determines.
///
/// libpcap parses it, and so determines what is a capture, the link type, and the meaning of the snap length.
struct PcapHeader {
    /// The length of the header, in octets.
    static let length = 24

    /// The order of the two lengths in a record.
    private enum LengthOrder {
        case capturedFirst
        case originalFirst
        /// Some programs wrote the new version with the old order: the captured length is the smaller one.
        case capturedIsSmaller
    }

    /// A header rejected by libpcap.
    struct Refusal: Error {
        let reason: String
    }

    /// The link type of the file.
    let linkType: LinkType
    /// The snap length, in octets.
    let snapLength: Int
    /// The length of a record header, in octets.
    let recordHeaderLength: Int
    /// The unit of the fraction of a second, in nanoseconds.
    let nanosecondsPerUnit: Int64
    /// Whether numbers are in the opposite of host byte order.
    let isSwapped: Bool
    /// The packet length, in octets, beyond which a record is damaged.
    let largestPacket: Int
    private let lengthOrder: LengthOrder
    /// Whether records have the layout that nearly all programs write, in host byte order.
    var isUsual: Bool { recordHeaderLength == 16 && !isSwapped && lengthOrder == .capturedFirst }

    /// Whether a file that starts with `octets` (four, or fewer if it is shorter) has this format.
    static func recognizes(_ octets: [UInt8]) -> Bool {
        !octets.isEmpty && magicNumbers.contains { $0.starts(with: octets) || $0.reversed().starts(with: octets) }
    }

    /// Microseconds, nanoseconds, and Kuznetzov's format, whose record headers are eight octets longer.
    private static let magicNumbers: [[UInt8]] = [[0xA1, 0xB2, 0xC3, 0xD4], nanoseconds, modified]
    private static let nanoseconds: [UInt8] = [0xA1, 0xB2, 0x3C, 0x4D]
    private static let modified: [UInt8] = [0xA1, 0xB2, 0xCD, 0x34]

    /// Parses a header.
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
        // The order of the lengths changed in version 2.3; DG/UX wrote 543.0 with the old order.
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
        // Sound: the stream is closed, with the handle or without it, before the octets are deallocated; the message
        // buffer has the size that libpcap documents.
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
            throw Refusal(reason: text.isEmpty ? "not enough memory" : String(decoding: text, as: UTF8.self))
        }
        return result
    }

    /// Returns libpcap's limit, which is small except for buses that are captured in large units.
    private static func largestPacket(_ linkType: LinkType) -> Int {
        switch linkType.rawValue {
        case 189, 220, 231, 249, 266: 128 << 20
        case 279: 8 << 20
        default: 262_144
        }
    }

    /// Returns the captured and the original length of a packet, from the two numbers in its record header.
    @inline(__always)
    func lengths(_ first: UInt32, _ second: UInt32) -> (captured: Int, original: Int) {
        switch lengthOrder {
        case .capturedFirst: (Int(first), Int(second))
        case .originalFirst: (Int(second), Int(first))
        case .capturedIsSmaller: (Int(min(first, second)), Int(max(first, second)))
        }
    }
}
