import WeirPackets

/// The RTCP packets of one datagram or interleaved frame (RFC 3550 §6.1).
///
///     |V=2|P|  RC   |   PT          |             length            |
///
/// Each packet says how long it is, in 32-bit words less one; the next follows at once.
public struct RTCPCompound: Sendable {
    /// Most packets read from one datagram.
    public static let maximumPackets = 256

    /// Octets of the shortest datagram that can be SRTCP: header and source, an index, and the shortest tag in use
    /// (RFC 3711 §3.4, RFC 4568 §6.2.2).
    static let shortestSecure = 16

    /// Whether the length that a first packet says fits a whole datagram of SRTCP, with the index behind it; it is not encrypted
    /// (RFC 3711 §3.4).
    static func fitsSecure(_ bytes: RawSpan) -> Bool {
        guard let words = bytes.uint16(at: 2) else { return false }
        return 4 &* (Int(words) &+ 1) &+ 4 <= bytes.byteCount
    }

    /// A packet and where it stands.
    public struct Element: Sendable {
        /// The packet.
        public var packet: RTCPPacket
        /// Its octets, counted from the datagram's first.
        public var range: Range<Int>
    }

    /// The packets that could be read, in order.
    public private(set) var elements: [Element] = []
    /// Why reading stopped before the end; the packets before that place were read.
    public private(set) var problem: DecodeError?
    /// Whether the datagram is encrypted (SRTCP): known beforehand, or seen by its trailer.
    public private(set) var isEncrypted: Bool
    /// Whether it was taken as encrypted because it ends as SRTCP does.
    private(set) var hasSecureTrailer = false
    /// Whether a packet before the last one has padding, which RFC 3550 §6.1 allows on the last only.
    public private(set) var hasEarlyPadding = false

    /// Whether a packet follows a goodbye.
    private(set) var goesOnBehindBye = false
    /// The version of a datagram that is RTCP by the types and lengths of its packets, but has another one than 2; nil elsewhere.
    private(set) var otherVersion: UInt8?

    /// Whether no packet of a datagram could be read whose first header is that of a report, a source description, goodbye or
    /// feedback: on a port of RTCP it is one that is broken.
    var isBrokenReport: Bool { elements.isEmpty && problem != nil && !isEncrypted && beginsLikeReport }
    private var beginsLikeReport = false

    /// Reads the packets of a datagram.
    ///
    /// - Parameters:
    ///   - bytes: the datagram, as far as it was captured.
    ///   - isEncrypted: whether it is known to be SRTCP. Where that is not known, a datagram in which something else follows a
    ///     packet, and that has an SRTCP trailer there or figures that no report has, is taken as encrypted.
    ///   - isCut: whether the capture lacks its end, where such a trailer would be: then the figures alone tell.
    package init(_ bytes: RawSpan, isEncrypted: Bool = false, isCut: Bool = false) {
        self.isEncrypted = isEncrypted
        if isEncrypted {
            readEncrypted(bytes)
            return
        }
        beginsLikeReport = 200...207 ~= bytes.byte(at: 1) ?? 0 && bytes.byteCount >= 8
        // SRTCP, too, has the first header in the clear (RFC 3711 §3.4).
        if let version = bytes.byte(at: 0).map({ $0 >> 6 }), version != 2 {
            if beginsLikeReport, Self.addsUp(bytes) { otherVersion = version }
            beginsLikeReport = otherVersion != nil
            problem = DecodeError(.malformed("no RTCP packet begins here"), layer: "RTCP", offset: 0)
            return
        }
        // Behind the first packet of SRTCP stands what is encrypted: no header, unlike in a datagram that was cut.
        let isClear = read(bytes)
        let hasOddFigures = isCut && !hasPlausibleReport
        guard !isClear || hasOddFigures else { return }
        hasSecureTrailer = Self.hasSecureTrailer(bytes)
        if hasSecureTrailer || hasOddFigures || !isPlausible(bytes) {
            self.isEncrypted = true
            elements.removeAll()
            readEncrypted(bytes)
        }
    }

    /// Whether types of RTCP follow each other by their lengths up to the very end, whatever their version.
    private static func addsUp(_ bytes: RawSpan) -> Bool {
        var start = 0
        while let word = bytes.uint32(at: start), RTCPPacket.isRTCP(secondOctet: UInt8(word >> 16 & 0xFF)) {
            start &+= (Int(word & 0xFFFF) &+ 1) &* 4
        }
        return start == bytes.byteCount
    }

    /// Reads packets to the end, or to the first octets that are none; false when something else begins there.
    private mutating func read(_ bytes: RawSpan) -> Bool {
        var start = 0
        var padded = false
        var hasBye = false
        // As a rule a report and a source description.
        elements.reserveCapacity(2)
        while start < bytes.byteCount, elements.count < Self.maximumPackets {
            guard let word = bytes.uint32(at: start) else {
                let left = bytes.byteCount &- start
                problem = DecodeError(.tooShort(needed: 4, available: left), layer: "RTCP", offset: start)
                return true
            }
            let type = UInt8(truncatingIfNeeded: word >> 16)
            guard word >> 30 == 2, RTCPPacket.isRTCP(secondOctet: type) else {
                if problem == nil {
                    problem = DecodeError(.malformed("no RTCP packet begins here"), layer: "RTCP", offset: start)
                }
                return false
            }
            let end = start &+ (Int(word & 0xFFFF) &+ 1) &* 4
            guard end <= bytes.byteCount else {
                // More than any datagram holds: that is no header which the end of the capture cut off.
                let mayBeCut = end <= Int(UInt16.max)
                let needed = DecodeError.Kind.tooShort(needed: end &- start, available: bytes.byteCount &- start)
                if problem == nil { problem = DecodeError(needed, layer: "RTCP", offset: start) }
                return mayBeCut
            }
            if padded { hasEarlyPadding = true }
            padded = word & 0x2000_0000 != 0
            let padding = padded ? Int(bytes.byte(at: end &- 1) ?? 0) : 0
            let body = bytes.clamped(start &+ 4, max(start &+ 4, end &- padding))
            do throws(DecodeError) {
                if hasBye { goesOnBehindBye = true }
                if type == 203 { hasBye = true }
                let packet = try RTCPPacket(type: type, count: UInt8(word >> 24 & 0x1F), body)
                elements.append(Element(packet: packet, range: start..<end))
            } catch {
                // The next packet's place is known all the same: one broken packet does not hide the others.
                let place = error.offset &+ start &+ 4
                if problem == nil { problem = DecodeError(error.kind, layer: error.layer, offset: place) }
            }
            start = end
        }
        return true
    }

    /// Only the first header and source are in the clear (RFC 3711 §3.4).
    private mutating func readEncrypted(_ bytes: RawSpan) {
        problem = nil
        guard let word = bytes.uint32(at: 0), word >> 30 == 2 else {
            problem = DecodeError(.malformed("no RTCP packet begins here"), layer: "SRTCP", offset: 0)
            return
        }
        let packet = OpaqueRTCP(
            packetType: UInt8(truncatingIfNeeded: word >> 16), count: UInt8(word >> 24 & 0x1F),
            ssrc: bytes.uint32(at: 4), octets: bytes.byteCount, isEncrypted: true)
        elements = [Element(packet: .opaque(packet), range: 0..<bytes.byteCount)]
    }

    /// Whether a datagram that goes on with something else behind its first packet can be in the clear: ciphertext makes
    /// figures that no media has, or a body that is none. With keys of its own making (Discord's calls, say) an
    /// application has another trailer than RFC 3711 §3.4, so that only the figures tell.
    private func isPlausible(_ bytes: RawSpan) -> Bool {
        guard let word = bytes.uint32(at: 0), 200...207 ~= word >> 16 & 0xFF, elements.count < 2 else { return true }
        // Room for a trailer: an index, or an authentication tag and a number used once.
        guard (Int(word & 0xFFFF) &+ 1) &* 4 &+ 8 <= bytes.byteCount else { return true }
        guard let first = elements.first else { return false }
        switch first.packet {
        case .senderReport, .receiverReport: return hasPlausibleReport
        // Feedback alone in a datagram is of reduced size (RFC 5506), which is seldom seen but under SRTP.
        case .transportFeedback, .payloadFeedback: return false
        default: return true
        }
    }

    /// Whether a report that stands first has figures that media may have.
    private var hasPlausibleReport: Bool {
        switch elements.first?.packet {
        case .senderReport(let report): report.isPlausible
        case .receiverReport(let report): report.reports.allSatisfy(\.isPlausible)
        default: true
        }
    }

    /// Whether the datagram ends as SRTCP does: a set E bit and a 31-bit index, small in any call that lasts less than
    /// a year, before an authentication tag of 10 or 4 octets (RFC 3711 §3.4), or at the very end, as with AES-GCM.
    private static func hasSecureTrailer(_ bytes: RawSpan) -> Bool { hasTrailer(bytes, unused: 0x7F00_0000) }

    /// The same with an index that takes hours to come to: what nobody announced is not taken for SRTCP by chance.
    static func hasEarlyTrailer(_ bytes: RawSpan) -> Bool { hasTrailer(bytes, unused: 0x7FF0_0000) }

    private static func hasTrailer(_ bytes: RawSpan, unused: UInt32) -> Bool {
        for tag in [10, 4, 0] {
            guard let index = bytes.uint32(at: bytes.byteCount &- 4 &- tag), bytes.byteCount >= 12 &+ tag else {
                continue
            }
            if index & (0x8000_0000 | unused) == 0x8000_0000 { return true }
        }
        return false
    }
}
