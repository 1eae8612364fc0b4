import WeirPackets

/// A protected RTP packet whose tag is verified (RFC 3711 §3.1, RFC 7714 §8).
struct SRTPPacket {
    /// The format of the octets before the tag.
    enum Form {
        /// As declared by the key parameters: with the MKI, if they declare one.
        case declared
        /// Without the MKI, although one is declared.
        case unidentified
    }

    /// The format.
    let form: Form
    /// The packet without protection, or nil if the cipher is only verified.
    let clear: [UInt8]?
}

extension SRTPCandidate {
    /// Verifies and decrypts a packet, given the octets of its header and its rollover counter (RFC 3711 §3.3); nil if
    /// the tag is wrong.
    mutating func open(
        _ packet: RawSpan, header: Int, sequence: UInt16, rollover: UInt32
    ) -> SRTPPacket? {
        let index = UInt64(rollover) << 16 | UInt64(sequence)
        guard let keys = sessionKeys(at: index), let ssrc = packet.uint32(at: 8) else { return nil }
        let place = Place(header: header, ssrc: ssrc, rollover: rollover, index: index)
        if let packet = Self.open(packet, keys, place, key.identifierOctets, .declared) { return packet }
        guard key.identifierOctets > 0 else { return nil }
        return Self.open(packet, keys, place, 0, .unidentified)
    }

    private struct Place {
        let header: Int
        let ssrc: UInt32
        let rollover: UInt32
        let index: UInt64
    }

    private static func open(
        _ packet: RawSpan, _ keys: SRTPSessionKeys, _ place: Place, _ identifier: Int, _ form: SRTPPacket.Form
    ) -> SRTPPacket? {
        let tag = keys.profile.tagOctets
        let end = packet.byteCount &- tag &- identifier
        guard end >= place.header, place.header >= RTPHeader.fixedLength else { return nil }
        let header = packet.clamped(0, place.header).array()
        if keys.profile.cipher == .gcm {
            // The MKI follows the tag (RFC 7714 §8.2).
            guard
                let payload = keys.openGCM(
                    packet.clamped(place.header, end &+ tag), clear: header, ssrc: place.ssrc, number: place.index)
            else { return nil }
            return SRTPPacket(form: form, clear: header + payload)
        }
        guard
            keys.authenticates(
                packet.clamped(0, end), rollover: place.rollover, tag: packet.clamped(packet.byteCount &- tag))
        else { return nil }
        switch keys.profile.cipher {
        case .none: return SRTPPacket(form: form, clear: packet.clamped(0, end).array())
        case .counter:
            let payload = keys.decrypt(packet.clamped(place.header, end), ssrc: place.ssrc, index: place.index)
            return SRTPPacket(form: form, clear: payload.map { header + $0 })
        case .f8, .gcm: return SRTPPacket(form: form, clear: nil)
        }
    }
}

extension SRTPCandidate {
    /// The first octets of RTCP, which are not encrypted: the first header and the SSRC (RFC 3711 §3.4).
    static let clearReportOctets = 8
    /// Octets of the E flag and the index.
    static let indexOctets = 4

    /// Verifies and decrypts an RTCP datagram, which contains its own index (RFC 3711 §3.4, RFC 7714 §9); nil if the
    /// tag is wrong. Without encryption (E = 0), it is only verified.
    mutating func openReports(_ datagram: RawSpan) -> [UInt8]? {
        if let clear = openReports(datagram, key.identifierOctets) { return clear }
        return key.identifierOctets > 0 ? openReports(datagram, 0) : nil
    }

    private mutating func openReports(_ datagram: RawSpan, _ identifier: Int) -> [UInt8]? {
        let isGCM = key.profile.cipher == .gcm
        let tag = key.profile.reportTagOctets
        // AES-GCM places its tag before the index.
        let place = datagram.byteCount &- identifier &- Self.indexOctets &- (isGCM ? 0 : tag)
        let end = isGCM ? place &- tag : place
        guard end >= Self.clearReportOctets, let word = datagram.uint32(at: place), let ssrc = datagram.uint32(at: 4)
        else { return nil }
        let index = UInt64(word & 0x7FFF_FFFF)
        let isEncrypted = word & 0x8000_0000 != 0
        guard let keys = sessionKeys(at: index) else { return nil }
        if isGCM {
            let head = isEncrypted ? Self.clearReportOctets : end
            let clear = datagram.clamped(0, head).array()
            return keys.openGCM(
                datagram.clamped(head, place),
                clear: clear + datagram.clamped(place, place &+ Self.indexOctets).array(), ssrc: ssrc, number: index
            ).map { clear + $0 }
        }
        guard
            keys.authenticates(
                datagram.clamped(0, place &+ Self.indexOctets), rollover: nil,
                tag: datagram.clamped(datagram.byteCount &- tag))
        else { return nil }
        guard isEncrypted, key.profile.cipher != .none else { return datagram.clamped(0, end).array() }
        guard key.profile.cipher == .counter else { return nil }
        return keys.decrypt(datagram.clamped(Self.clearReportOctets, end), ssrc: ssrc, index: index).map {
            datagram.clamped(0, Self.clearReportOctets).array() + $0
        }
    }
}

/// Verifies and decrypts the RTCP of a flow.
package struct SRTCPReceiver: Sendable {
    /// Creates a receiver without keys.
    package init() {}

    /// Datagrams for which no key is found, after which none is tried.
    private static let mostVain = 64

    private var candidates: [SRTPCandidate] = []
    private var vain = 0
    /// Whether further keys are useful.
    var isSearching: Bool { vain < Self.mostVain }

    /// Adds keys; at most `most` are tried. Returns whether there are new ones.
    @discardableResult
    package mutating func recordObserved(_ keys: [SRTPKey], most: Int) -> Bool {
        let before = candidates.count
        for key in keys where candidates.count < most && !candidates.contains(where: { $0.key == key }) {
            candidates.append(SRTPCandidate(key, for: .reports))
        }
        return candidates.count > before
    }

    /// Returns a datagram in the clear and the source of the key, or nil if no key fits. The latest key comes first.
    package mutating func open(_ datagram: RawSpan) -> (octets: [UInt8], source: SRTPKey.Source)? {
        for index in candidates.indices {
            guard let clear = candidates[index].openReports(datagram) else { continue }
            vain = 0
            let fitting = candidates.remove(at: index)
            candidates.insert(fitting, at: 0)
            return (clear, fitting.key.source)
        }
        vain &+= 1
        return nil
    }
}
