import WeirPackets

/// Changes the content of protected packets: opens each with the key that fits, and protects what was made of it with the key that
/// replaces this one (RFC 3711 §3.3, §3.4, RFC 7714 §8, §9). Lengths stay.
package struct SRTPRekeying {
    /// A key, and the key of the same profile that replaces it.
    private struct Pair {
        let old: SRTPKey
        var media: SRTPCandidate
        var oldReports: SRTPCandidate
        var reports: SRTPCandidate
    }

    private var pairs: [Pair] = []
    /// The state of each stream by its SSRC.
    private var streams: [UInt32: SRTPAuthentication] = [:]
    /// More streams are not changed.
    private static let mostStreams = 4_096
    /// Keys that are tried.
    private static let mostKeys = 64

    /// Creates a state without keys.
    package init() {}

    /// Whether there is no key.
    package var isEmpty: Bool { pairs.isEmpty }

    /// Adds a key and its replacement, which has the same profile.
    package mutating func replace(_ old: SRTPKey, by new: SRTPKey) {
        guard old.profile == new.profile, pairs.count < Self.mostKeys, !pairs.contains(where: { $0.old == old }) else {
            return
        }
        pairs.append(
            Pair(
                old: old, media: SRTPCandidate(new, for: .media), oldReports: SRTPCandidate(old, for: .reports),
                reports: SRTPCandidate(new, for: .reports)))
    }

    /// Changes an RTP packet.
    ///
    /// - Parameters:
    ///   - header: The octets before the payload.
    ///   - change: Changes the packet in the clear, without tag; its length stays.
    /// - Returns: The protected packet, or nil if no key fits.
    package mutating func media(_ packet: [UInt8], header: Int, change: (inout [UInt8]) -> Void) -> [UInt8]? {
        let bytes = packet.rawSpan
        guard let ssrc = bytes.uint32(at: 8), let sequence = bytes.uint16(at: 2),
            streams[ssrc] != nil || streams.count < Self.mostStreams
        else { return nil }
        var stream = streams[ssrc] ?? SRTPAuthentication(most: Self.mostKeys)
        stream.recordObserved(pairs.map(\.old))
        // The time decides how long is searched only.
        let clear = stream.take(bytes, header: header, sequence: sequence, frame: 0, time: Timestamp(nanoseconds: 0))
        streams[ssrc] = stream
        guard var clear, let opened = stream.latestOpened, let key = stream.key,
            let index = pairs.firstIndex(where: { $0.old == key })
        else { return nil }
        change(&clear)
        return pairs[index].media.seal(
            clear, header: header, sequence: sequence, rollover: opened.rollover, like: bytes, opened.form)
    }

    /// Changes a datagram with RTCP. Returns the protected datagram, or nil if no key fits.
    package mutating func reports(_ datagram: [UInt8], change: (inout [UInt8]) -> Void) -> [UInt8]? {
        for index in pairs.indices {
            guard var clear = pairs[index].oldReports.openReports(datagram.rawSpan) else { continue }
            change(&clear)
            return pairs[index].reports.sealReports(clear, like: datagram.rawSpan)
        }
        return nil
    }
}

extension SRTPCandidate {
    /// Protects a packet in the clear: encrypts its payload, and adds the MKI of another packet and a tag. The inverse of `open`.
    mutating func seal(
        _ clear: [UInt8], header: Int, sequence: UInt16, rollover: UInt32, like packet: RawSpan,
        _ form: SRTPPacket.Form
    ) -> [UInt8]? {
        let index = UInt64(rollover) << 16 | UInt64(sequence)
        guard let keys = sessionKeys(at: index), let ssrc = clear.rawSpan.uint32(at: 8), clear.count >= header else {
            return nil
        }
        let tag = keys.profile.tagOctets
        let identifierOctets = form == .declared ? key.identifierOctets : 0
        let head = Array(clear[..<header])
        let payload = Array(clear[header...])
        if keys.profile.cipher == .gcm {
            let identifier = packet.clamped(packet.byteCount &- identifierOctets).array()
            return keys.sealGCM(payload, clear: head, ssrc: ssrc, number: index).map { head + $0 + identifier }
        }
        let end = packet.byteCount &- tag
        let identifier = packet.clamped(end &- identifierOctets, end).array()
        guard let protected = keys.protected(payload, ssrc: ssrc, index: index) else { return nil }
        let octets = head + protected
        let code = keys.authenticationCode(octets.rawSpan, rollover: rollover)
        return octets + identifier + code.prefix(tag)
    }

    /// Protects a datagram with RTCP in the clear, with the index and MKI of another. The inverse of `openReports`.
    mutating func sealReports(_ clear: [UInt8], like datagram: RawSpan) -> [UInt8]? {
        let isGCM = key.profile.cipher == .gcm
        let tag = key.profile.reportTagOctets
        let behind = datagram.byteCount &- clear.count
        // The datagram was opened with or without MKI: what is neither content, nor index, nor tag.
        let identifierOctets = behind &- Self.indexOctets &- tag
        let place = isGCM ? clear.count &+ tag : clear.count
        guard identifierOctets >= 0, let word = datagram.uint32(at: place), let ssrc = datagram.uint32(at: 4) else {
            return nil
        }
        let index = UInt64(word & 0x7FFF_FFFF)
        let trailer = datagram.clamped(place, place &+ Self.indexOctets).array()
        let isEncrypted = word & 0x8000_0000 != 0
        guard let keys = sessionKeys(at: index) else { return nil }
        let head = Array(clear.prefix(isEncrypted ? Self.clearReportOctets : clear.count))
        let content = Array(clear.dropFirst(head.count))
        if isGCM {
            let identifier = datagram.clamped(datagram.byteCount &- identifierOctets).array()
            return keys.sealGCM(content, clear: head + trailer, ssrc: ssrc, number: index).map {
                head + $0 + trailer + identifier
            }
        }
        guard let protected = isEncrypted ? keys.protected(content, ssrc: ssrc, index: index) : content else {
            return nil
        }
        let octets = head + protected + trailer
        let identifier = datagram.clamped(octets.count, octets.count &+ identifierOctets).array()
        return octets + identifier + keys.authenticationCode(octets.rawSpan, rollover: nil).prefix(tag)
    }
}

extension SRTPSessionKeys {
    /// Encrypts a payload as its profile demands; nil if it cannot be.
    fileprivate func protected(_ payload: [UInt8], ssrc: UInt32, index: UInt64) -> [UInt8]? {
        switch profile.cipher {
        case .none: payload
        // Counter mode is its own inverse.
        case .counter: decrypt(payload.rawSpan, ssrc: ssrc, index: index)
        case .f8, .gcm: nil
        }
    }
}
