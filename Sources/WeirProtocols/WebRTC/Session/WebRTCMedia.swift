import WeirEngine
import WeirPackets

// The media of a call. They are numbered by media section, in the same order in an offer and its answer (RFC 8829
// §5.3.1).

extension WebRTCSession: MediaOwner {
    var ownsFlows: Bool { !isRelayOnly }
    func medium(ofChannel channel: Int) -> Int? { nil }
    func isRTP(_ medium: Int) -> Bool { true }
    func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool { true }

    /// Whether a medium is encrypted. WebRTC requires it (RFC 8827 §6.5); other users of ICE indicate it in their
    /// descriptions, or by using DTLS.
    func isEncrypted(_ medium: Int) -> Bool {
        if !connections.isEmpty { return true }
        guard let section = sections.first(where: { $0.media.indices.contains(medium) }) else { return false }
        return section.media[medium].isEncrypted
    }

    /// The latest descriptions, the answer first, since it contains what was negotiated.
    var sections: [SessionDescription] { [answer?.content, offer?.content].compactMap { $0 } }

    func formats(of medium: Int, isDecrypted: Bool) -> [(type: UInt8, format: MediaFormat)] {
        let isEncrypted = !isDecrypted && isEncrypted(medium)
        var formats: [(type: UInt8, format: MediaFormat)] = []
        for description in sections where description.media.indices.contains(medium) {
            for format in description.media[medium].mediaFormats(isEncrypted: isEncrypted)
            where !formats.contains(where: { $0.type == format.type }) { formats.append(format) }
        }
        return formats
    }

    /// Returns the negotiated parameters of the media section, from either description. Signaled SSRCs do not exclude a
    /// stream: each side signals only its own.
    func agreement(on medium: Int) -> StreamAgreement {
        let isEncrypted = isEncrypted(medium)
        if let known = readDescriptions.agreements[medium], known.isEncrypted == isEncrypted { return known }
        var agreement = StreamAgreement()
        for description in sections where description.media.indices.contains(medium) {
            agreement.merge(
                description.media[medium].agreement(
                    description.attributes, isEncrypted: isEncrypted,
                    most: media.outlet.limits[RTPLimits.self].announced))
        }
        // RTP and RTCP share a port only if both descriptions say so (RFC 5761 §5.1.1).
        let described = sections.filter { $0.media.indices.contains(medium) }
        if described.count == 2 {
            agreement.sharesPort = described.allSatisfy { $0.media[medium].attributes.has("rtcp-mux") }
        }
        // If one of the two also offers DTLS, it is not known whether SDES keys are used.
        if sections.contains(where: { !$0.allFingerprints.isEmpty }) { agreement.keys = [] }
        agreement.keys += connections.flatMap(\.srtpKeys)
        readDescriptions.agreements[medium] = agreement
        return agreement
    }

    /// Returns the keys of all media, which may share a flow.
    func srtpKeys(of medium: Int?) -> [SRTPKey] {
        if let medium { return agreement(on: medium).keys }
        return connections.flatMap(\.srtpKeys)
            + (sections.first?.media.indices ?? 0..<0).flatMap { agreement(on: $0).keys }
    }

    func agreementFrame(of medium: Int) -> Int { firstAnswer?.frame ?? firstOffer?.frame ?? 0 }
    func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int) {}
    /// Ignores silence: muted media is not sent, without any signaling.
    func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool { true }

    func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16? {
        if firstMediaTime == nil { firstMediaTime = time }
        if phase != .close { enter(.media) }
        return nil
    }

    func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool) {
        mediaPackets += stream.packets
        // The stream may have started before it was assigned to the call.
        firstMediaTime = min(firstMediaTime ?? stream.startTime, stream.startTime)
        // Octets missing from a captured connection are not packet loss.
        if !isInterleaved || !(completeness.hasGap || completeness.isCut) {
            mediaLost += max(0, stream.sequence.missing - stream.arrived)
        }
        lastMediaTime = max(lastMediaTime ?? stream.endTime, stream.endTime)
    }
}
