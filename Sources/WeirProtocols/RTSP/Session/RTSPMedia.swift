import WeirEngine
import WeirPackets

// Media known to a session; its media are its setups.

extension RTSPSession: MediaOwner {
    func medium(ofChannel channel: Int) -> Int? { setupIndex(forChannel: channel) }

    func isRTP(_ medium: Int) -> Bool {
        // Each report asks: a property of the setup would copy all of it.
        MediaSetup.isRTP(setups[medium].granted.protocolName, profile: setups[medium].granted.profile)
    }

    /// Whether media was negotiated in this direction: to the client for playback, from the client for recording.
    ///
    /// A packet in the opposite direction proves nothing: GStreamer opens its ports with random bytes that may look
    /// like RTP.
    func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool {
        let setups = setups
        // Anyone may send to a group; media is sent by the server.
        if destination.address.isMulticast, source.address == client.address, client.address != server.address {
            return false
        }
        if setups[medium].isRecording { return setups[medium].rtpEndpoints.contains(source) }
        // The client may send media described as sendonly: ONVIF describes the backchannel to a camera this way.
        if setups[medium].rtpEndpoints.contains(destination) { return true }
        let mayTurn = place(ofSetup: medium).map { $0.media.span[$0.index].direction == .sendonly } ?? false
        return mayTurn && setups[medium].rtpEndpoints.contains(source)
    }

    /// Whether the media of a setup is encrypted, according to its description or transport.
    func isEncrypted(_ medium: Int) -> Bool {
        if TextSyntax.hasPrefix(setups[medium].granted.profile, "SAVP") { return true }
        guard let (media, index) = place(ofSetup: medium) else { return false }
        return MediaDescription.isEncrypted(proto: media.span[index].proto)
    }

    /// The template of the latest description, if it has one.
    private var template: DescriptionTemplate? { description?.shared.template }

    func formats(of medium: Int, isDecrypted: Bool) -> [(type: UInt8, format: MediaFormat)] {
        let isEncrypted = !isDecrypted && isEncrypted(medium)
        if !isEncrypted, let index = setups[medium].mediumIndex, let template {
            return template.formats.indices.contains(index) ? template.formats[index] : []
        }
        return self.medium(ofSetup: medium)?.mediaFormats(isEncrypted: isEncrypted) ?? []
    }

    /// Returns the description's parameters of the medium, and the source announced by the server. When recording, the
    /// client chooses the source.
    func agreement(on medium: Int) -> StreamAgreement {
        var agreement = StreamAgreement()
        if let (media, index) = place(ofSetup: medium), let description {
            agreement = media.span[index].agreement(
                description.attributes, isEncrypted: isEncrypted(medium), most: limits[RTPLimits.self].announced)
            let limit = media.span[index].bandwidths.first { $0.type == "AS" }?.value
            agreement.bandwidth = limit.flatMap { (1...Self.mostKilobits).contains($0) ? $0 * 1_000 : nil }
        }
        agreement.keys += setups[medium].keys
        if let source = setups[medium].granted.ssrc, !setups[medium].isRecording { agreement.sources = [source] }
        return agreement
    }

    /// Bandwidth limits above this, in kbit/s, are ignored.
    private static let mostKilobits = 1_000_000_000

    func agreementFrame(of medium: Int) -> Int { setups[medium].answerFrame }

    func medium(ofSource ssrc: UInt32) -> Int? {
        setups.lastIndex { $0.granted.ssrc == ssrc && !$0.isRecording }
    }

    /// Returns the negotiated destination, unless a NAT may have replaced the client's ports.
    func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint? {
        guard setups[medium].isMatched, !setups[medium].rtpEndpoints.contains(end) else { return nil }
        return setups[medium].rtpEndpoints.first { $0.address == end.address }
    }

    /// Returns the negotiated RTCP endpoint on the host of `end`, unless a NAT may have replaced ports, or reports of
    /// another medium go to `end`.
    func agreedReportEnd(of medium: Int, insteadOf end: Endpoint) -> Endpoint? {
        // By index, here and below: an element would be copied, with its many references.
        guard setups.indices.contains(medium), !setups.indices.contains(where: { setups[$0].takesReports(at: end) }),
            !hasMulticast, client.address != server.address
        else { return nil }
        return setups[medium].reportEnd(at: end.address, server: server.address)
    }

    /// Records the start of a stream of the setup; returns the sequence number announced by RTP-Info, or nil if none.
    func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16? {
        if firstMediaTime == nil { firstMediaTime = time }
        guard let medium, setups.indices.contains(medium), let announced = setups[medium].announcedSequence else {
            return nil
        }
        setups[medium].announcedSequence = nil
        return announced
    }

    /// Records the end of a stream of the setup.
    func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool) {
        mediaPackets += stream.packets
        guard !stream.isRepair else { return noteEnd(of: stream) }
        mediaLost += stream.unrecovered + stream.skips.count
        if !isInterleaved { mediaArrived += stream.arrived }
        mediaSkipped += stream.skips.count
        mediaPerhapsSkipped += stream.skips.inferred
        if isInterleaved { interleavedLost += stream.unrecovered }
        mediaPaused = max(mediaPaused, stream.pausedSeconds)
        lastMediaTime = max(lastMediaTime ?? stream.endTime, stream.endTime)
        if mediaSpans.count < limits.outstandingRequests { mediaSpans.append((stream.startTime, stream.endTime)) }
        noteKeyframes(of: stream, medium: medium)
        noteKeyless(stream)
        if let medium, setups.indices.contains(medium) {
            setups[medium].mediaPackets += stream.packets
            if stream.reports.receiverReports > 0 { setups[medium].isReported = true }
        }
        noteEnd(of: stream)
    }

    func transportStreamArrived(_ medium: Int?, at time: Timestamp) {
        firstMediaTime = firstMediaTime ?? time
        lastMediaTime = max(lastMediaTime ?? time, time)
        mediaPackets += 1
        if let medium, setups.indices.contains(medium) { setups[medium].mediaPackets += 1 }
    }

    /// Records an ICMP error; returns what was expected at the endpoint, if anything, and whether it is the first
    /// error.
    func unreachable(
        _ endpoint: Endpoint, at time: Timestamp, isRefusal: Bool
    ) -> (purpose: String, isFirst: Bool)? {
        if let index = setups.firstIndex(where: { $0.rtpEndpoints.contains(endpoint) }) {
            guard isRefusal else { return ("RTP", undelivered.insert(endpoint).inserted) }
            let isFirst = setups[index].unreachable == nil
            setups[index].unreachable = setups[index].unreachable ?? (endpoint, time)
            return ("RTP", isFirst)
        }
        guard setups.contains(where: { $0.rtcpEndpoints.contains(endpoint) }) else { return nil }
        guard isRefusal else { return ("RTCP", undelivered.insert(endpoint).inserted) }
        return ("RTCP", unreachableRTCP.insert(endpoint).inserted)
    }
}

extension RTSPSession {
    /// Time before the end within which a player may close its port, in seconds: terminated processes close everything
    /// at once.
    private static let secondsOfLeaving = 1.0

    /// The endpoint at which the receiver's host rejected wanted media: not while the receiver was closing, nor if
    /// receiver reports prove that media was received.
    var refusedMedia: Endpoint? { setups.lazy.compactMap { self.refusal(of: $0) }.first }

    private func refusal(of setup: MediaSetup) -> Endpoint? {
        guard let (endpoint, time) = setup.unreachable, !setup.isReported else { return nil }
        if let closeTime, closeTime.seconds(since: time) < Self.secondsOfLeaving { return nil }
        return endpoint
    }

    /// Records the first packet of a medium after a pause.
    func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int) {
        guard setups.indices.contains(medium), let announced = setups[medium].announcedSequence else { return }
        setups[medium].announcedSequence = nil
        guard resumptions.count < Resumption.most else { return }
        resumptions.append(Resumption(setup: medium, announced: announced, first: sequence, frame: frame))
    }

    /// Whether media was paused, restarted or repositioned between two packets.
    func isTurn(
        of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp
    ) -> Bool {
        turns.isTurn(of: medium, to: sequence, between: before, and: behind)
            || isStartedByOther(between: before, and: behind)
    }
}

// Properties that media rules use.

extension RTSPSession {
    var agreedMedia: [AgreedMedium] {
        let isMisplaced = misplacedMedia != nil
        return setups.compactMap {
            guard !$0.isReleased || $0.mediaPackets > 0 else { return nil }
            return AgreedMedium(
                name: $0.uri.isEmpty ? uri ?? "" : $0.uri, packets: $0.mediaPackets, rtpEndpoints: $0.rtpEndpoints,
                rtcpEndpoints: $0.rtcpEndpoints,
                refused: refusal(of: $0), isMisplaced: isMisplaced && $0.channels != nil)
        }
    }

    func sharesPlace(ofPayloadType type: UInt8) -> Bool {
        setups.contains { setup in
            guard let medium = setup.mediumIndex, let description, description.media.indices.contains(medium),
                description.media[medium].payloadTypes.contains(type)
            else { return false }
            return setups.contains {
                $0.uri != setup.uri && !$0.isReleased
                    && ($0.channels != nil && $0.channels == setup.channels
                        || !$0.rtpEndpoints.isEmpty && $0.rtpEndpoints == setup.rtpEndpoints)
            }
        }
    }

    var isEnding: Bool { isTornDown || closedBy == .close || closedBy == .reset }

    /// Whether the server is go2rtc, which sends no sender reports.
    var lacksSenderReports: Bool { serverName.map { TextSyntax.hasPrefix($0, "go2rtc") } ?? false }

    /// Whether the endpoint is FFmpeg, which omits the CNAME; recognized by its headers and descriptions.
    func omitsCNAME(_ end: Endpoint) -> Bool {
        let isClient = end.address == client.address
        let tool = wasRecording == isClient ? description?.attributes.first("tool") : nil
        return [isClient ? userAgent : serverName, tool].contains { name in
            name.map { TextSyntax.hasPrefix($0, "Lavf") || TextSyntax.hasPrefix($0, "libavformat") } ?? false
        }
    }

    func deniesReceiverReports(_ stream: StreamRecord) -> Bool {
        let medium = setupIndex(of: stream).flatMap { self.medium(ofSetup: $0) }
        let limits = (medium?.bandwidths ?? []) + (description?.bandwidths ?? [])
        return limits.first { $0.type == "RR" }?.value == 0
    }
}
