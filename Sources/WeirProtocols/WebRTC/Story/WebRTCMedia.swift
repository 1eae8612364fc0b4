package import WeirEngine
package import WeirPackets

// What a call knows of its media. Their numbers are those of the media sections, which an offer and its answer have in
// the same order (RFC 8829 §5.3.1).

extension WebRTCSession: MediaOwner {
    package var ownsFlows: Bool { !isRelayOnly }
    package func medium(ofChannel channel: Int) -> Int? { nil }
    package func isRTP(_ medium: Int) -> Bool { true }
    package func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool { true }

    /// WebRTC sends media encrypted only (RFC 8827 §6.5); what else uses ICE says so in its descriptions, or by DTLS.
    package func isEncrypted(_ medium: Int) -> Bool {
        if !connections.isEmpty { return true }
        guard let section = sections.first(where: { $0.media.indices.contains(medium) }) else { return false }
        return section.media[medium].isEncrypted
    }

    /// The latest descriptions: the answer has what was agreed on.
    var sections: [SessionDescription] { [answer?.content, offer?.content].compactMap { $0 } }

    package func formats(of medium: Int) -> [(type: UInt8, format: MediaFormat)] {
        var formats: [(type: UInt8, format: MediaFormat)] = []
        for description in sections where description.media.indices.contains(medium) {
            for format in description.media[medium].mediaFormats(isEncrypted: isEncrypted(medium))
            where !formats.contains(where: { $0.type == format.type }) { formats.append(format) }
        }
        return formats
    }

    /// What either description says of the medium. Which sources it names is not held against a stream: each side names its
    /// own.
    package func agreement(on medium: Int) -> StreamAgreement {
        let isEncrypted = isEncrypted(medium)
        if let known = readDescriptions.agreements[medium], known.isEncrypted == isEncrypted { return known }
        var agreement = StreamAgreement()
        for description in sections where description.media.indices.contains(medium) {
            agreement.merge(
                description.media[medium].agreement(
                    description.attributes, isEncrypted: isEncrypted,
                    most: media.outlet.limits[RTPLimits.self].announced))
        }
        // Where one of the two offers DTLS, too, nothing says that keys of signaling are used.
        if sections.contains(where: { !$0.allFingerprints.isEmpty }) { agreement.keys = [] }
        readDescriptions.agreements[medium] = agreement
        return agreement
    }

    package func agreementFrame(of medium: Int) -> Int { firstAnswer?.frame ?? firstOffer?.frame ?? 0 }
    package func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int) {}
    /// What is muted sends nothing, and nobody says so.
    package func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool { true }

    package func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16? {
        if firstMediaTime == nil { firstMediaTime = time }
        if phase != .close { enter(.media) }
        return nil
    }

    package func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool) {
        mediaPackets += stream.packets
        // It may have begun before anything showed whose it is.
        firstMediaTime = min(firstMediaTime ?? stream.startTime, stream.startTime)
        // What a connection lacks in the capture was not lost on the way.
        if !isInterleaved || !(completeness.hasGap || completeness.isCut) { mediaLost += stream.sequence.missing }
        lastMediaTime = max(lastMediaTime ?? stream.endTime, stream.endTime)
    }

    package var agreedMedia: [AgreedMedium] { [] }
    package var mediaAccepted: (time: Timestamp, frame: Int)? { nil }
    package var isEnding: Bool { isTornDown }
    package var mediaTurns: Int { 1 }
    package var wasPaused: Bool { false }
    package var hasMulticast: Bool { false }
    package var lacksSenderReports: Bool { false }
    package func deniesReceiverReports(_ stream: StreamRecord) -> Bool { false }
}
