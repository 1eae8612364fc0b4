import WeirPackets

/// The RTCP packets of one datagram or interleaved frame (RFC 3550 §6.1).
///
///     |V=2|P|  RC   |   PT          |             length            |
///
/// The length is in 32-bit words minus one; the next packet follows immediately.
public struct RTCPCompound: Sendable {
    /// Maximum packets parsed from one datagram.
    public static let maximumPackets = 256

    /// Octets of the shortest possible SRTCP datagram: header, SSRC, index, and the shortest tag in use (RFC 3711 §3.4,
    /// RFC 4568 §6.2.2).
    static let shortestSecure = 16

    /// Returns whether the length of the first packet, which SRTCP does not encrypt, leaves room for the index in the
    /// datagram (RFC 3711 §3.4).
    static func fitsSecure(_ bytes: RawSpan) -> Bool {
        guard let words = bytes.uint16(at: 2) else { return false }
        return 4 &* (Int(words) &+ 1) &+ 4 <= bytes.byteCount
    }

    /// A packet and its position.
    public struct Element: Sendable {
        /// The packet.
        public var packet: RTCPPacket
        /// Its octets, relative to the start of the datagram.
        public var range: Range<Int>
    }

    /// The parsed packets, in order.
    public private(set) var elements: [Element] = []
    /// The error that stopped parsing; packets before it were parsed.
    public private(set) var problem: DecodeError?
    /// Whether the datagram is encrypted (SRTCP): signaled, or detected by its trailer.
    public private(set) var isEncrypted: Bool
    /// Whether encryption was detected by the SRTCP trailer.
    private(set) var hasSecureTrailer = false
    /// Whether a packet other than the last has padding, which RFC 3550 §6.1 does not allow.
    public private(set) var hasEarlyPadding = false

    /// Whether a source description has a canonical name.
    private(set) var hasCanonicalName = false
    /// Whether a packet follows a BYE.
    private(set) var goesOnBehindBye = false
    /// The version of a datagram whose packet types and lengths are valid RTCP but whose version is not 2; otherwise
    /// nil.
    private(set) var otherVersion: UInt8?

    /// Whether the datagram begins with the header of a report, source description, goodbye or feedback, but no packet
    /// could be parsed: on an RTCP port it is malformed.
    var isBrokenReport: Bool { elements.isEmpty && problem != nil && !isEncrypted && beginsLikeReport }
    private var beginsLikeReport = false

    /// Parses the packets of a datagram.
    ///
    /// - Parameters:
    ///   - bytes: the datagram, as captured.
    ///   - isEncrypted: whether it is known to be SRTCP. If not, a datagram is assumed to be encrypted when a packet is
    ///     followed by other octets that have an SRTCP trailer, or contains values impossible in a report.
    ///   - isCut: whether it is truncated, so that there is no trailer and only the values decide.
    ///   - known: the latest source descriptions of the sender, if any.
    package init(
        _ bytes: RawSpan, isEncrypted: Bool = false, isCut: Bool = false, known: RecentDescriptions? = nil
    ) {
        self.isEncrypted = isEncrypted
        if isEncrypted {
            readEncrypted(bytes)
            return
        }
        beginsLikeReport = 200...207 ~= bytes.byte(at: 1) ?? 0 && bytes.byteCount >= 8
        // The first header of SRTCP is not encrypted either (RFC 3711 §3.4).
        if let version = bytes.byte(at: 0).map({ $0 >> 6 }), version != 2 {
            if beginsLikeReport, Self.addsUp(bytes) { otherVersion = version }
            beginsLikeReport = otherVersion != nil
            problem = DecodeError(.malformed("no RTCP packet begins here"), layer: "RTCP", offset: 0)
            return
        }
        // In SRTCP ciphertext follows the first packet, not a header as in a truncated datagram.
        let isClear = read(bytes, known)
        let hasOddFigures = isCut && !hasPlausibleReport
        guard !isClear || hasOddFigures else { return }
        hasSecureTrailer = Self.hasSecureTrailer(bytes)
        if hasSecureTrailer || hasOddFigures || !isPlausible(bytes) {
            self.isEncrypted = true
            elements.removeAll()
            hasCanonicalName = false
            readEncrypted(bytes)
        }
    }

    /// Sets the clock rates of the reception report blocks in all packets, as `RTCPPacket.setClocks` does.
    mutating func setClocks(_ rate: (UInt32) -> Int?) {
        for index in elements.indices { elements[index].packet.setClocks(rate) }
    }

    /// Returns whether RTCP packet types follow each other by their lengths up to the end, whatever their version.
    private static func addsUp(_ bytes: RawSpan) -> Bool {
        var start = 0
        while let word = bytes.uint32(at: start), RTCPPacket.isRTCP(secondOctet: UInt8(word >> 16 & 0xFF)) {
            start &+= (Int(word & 0xFFFF) &+ 1) &* 4
        }
        return start == bytes.byteCount
    }

    /// Parses packets up to the end or to the first octets that are not a packet; returns false in that case.
    private mutating func read(_ bytes: RawSpan, _ known: RecentDescriptions?) -> Bool {
        var start = 0
        var padded = false
        var hasBye = false
        // Usually a report and a source description, at last with a BYE.
        elements.reserveCapacity(3)
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
                // Beyond the size of any datagram: not a header truncated by the capture.
                let mayBeCut = end <= Int(UInt16.max)
                let needed = DecodeError.Kind.tooShort(needed: end &- start, available: bytes.byteCount &- start)
                if problem == nil { problem = DecodeError(needed, layer: "RTCP", offset: start) }
                return mayBeCut
            }
            if padded { hasEarlyPadding = true }
            padded = word & 0x2000_0000 != 0
            var padding = padded ? Int(bytes.byte(at: end &- 1) ?? 0) : 0
            if padding > end &- start &- 4 {
                // The octet does not count padding, so that there is none.
                let reason = "padding length \(padding), packet length \(end &- start)"
                if problem == nil { problem = DecodeError(.malformed(reason), layer: "RTCP", offset: end &- 1) }
                padding = 0
            }
            let body = bytes.clamped(start &+ 4, end &- padding)
            do throws(DecodeError) {
                if hasBye { goesOnBehindBye = true }
                if type == 203 { hasBye = true }
                let packet = try RTCPPacket(type: type, count: UInt8(word >> 24 & 0x1F), body, known: known)
                if type == 202, packet.hasCanonicalName { hasCanonicalName = true }
                elements.append(Element(packet: packet, range: start..<end))
            } catch {
                // The position of the next packet is known, so one malformed packet does not hide the others.
                let place = error.offset &+ start &+ 4
                if problem == nil { problem = DecodeError(error.kind, layer: error.layer, offset: place) }
            }
            start = end
        }
        return true
    }

    /// Parses the first header and SSRC, which alone are unencrypted (RFC 3711 §3.4).
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

    /// Returns whether a datagram with other octets after its first packet can be unencrypted: ciphertext gives
    /// impossible values or an invalid body. Applications with proprietary keying (such as Discord) have other trailers
    /// than RFC 3711 §3.4, so only the values decide.
    private func isPlausible(_ bytes: RawSpan) -> Bool {
        guard let word = bytes.uint32(at: 0), 200...207 ~= word >> 16 & 0xFF, elements.count < 2 else { return true }
        // Space for a trailer: an index, or an authentication tag and a nonce.
        guard (Int(word & 0xFFFF) &+ 1) &* 4 &+ 8 <= bytes.byteCount else { return true }
        guard let first = elements.first else { return false }
        switch first.packet {
        case .senderReport, .receiverReport: return hasPlausibleReport
        // Feedback alone in a datagram is reduced-size RTCP (RFC 5506), which is rare without SRTP.
        case .transportFeedback, .payloadFeedback: return false
        default: return true
        }
    }

    /// Whether the values of the first report are plausible.
    private var hasPlausibleReport: Bool {
        switch elements.first?.packet {
        case .senderReport(let report): report.isPlausible
        case .receiverReport(let report): report.reports.allSatisfy(\.isPlausible)
        default: true
        }
    }

    /// Returns whether the datagram ends like SRTCP: a set E bit and a 31-bit index, small in any call shorter than a
    /// year, before an authentication tag of 10 or 4 octets (RFC 3711 §3.4), or at the very end, as with AES-GCM.
    private static func hasSecureTrailer(_ bytes: RawSpan) -> Bool { hasTrailer(bytes, unused: 0x7F00_0000) }

    /// Returns whether the datagram ends like SRTCP with an index of hours at most, so that unsignaled traffic is not
    /// mistaken for SRTCP.
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
