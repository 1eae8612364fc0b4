import WeirEngine
package import WeirPackets

// What a session knows of the media that it set up. Its media are its setups.

extension RTSPSession: MediaOwner {
    package func medium(ofChannel channel: Int) -> Int? { setupIndex(forChannel: channel) }

    package func isRTP(_ medium: Int) -> Bool { setups[medium].isRTP }

    /// Whether media was agreed on in this direction: towards the client when it plays, from it when it records.
    ///
    /// Against it a packet proves nothing: GStreamer opens its ports with random octets that may look like RTP.
    package func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool {
        let setup = setups[medium]
        // Into a group everybody may send; media comes from the server.
        if destination.address.isMulticast, source.address == client.address, client.address != server.address {
            return false
        }
        if setup.isRecording { return setup.rtpEndpoints.contains(source) }
        // What the description says is only sent may be sent by the client: so ONVIF describes the way back to a camera.
        let mayTurn = self.medium(ofSetup: medium)?.direction == .sendonly
        return setup.rtpEndpoints.contains(destination) || mayTurn && setup.rtpEndpoints.contains(source)
    }

    /// Whether the media of a setup is encrypted, as its description or its transport says.
    package func isEncrypted(_ medium: Int) -> Bool {
        TextSyntax.hasPrefix(setups[medium].granted.profile, "SAVP")
            || self.medium(ofSetup: medium)?.isEncrypted == true
    }

    package func formats(of medium: Int) -> [(type: UInt8, format: MediaFormat)] {
        self.medium(ofSetup: medium)?.mediaFormats(isEncrypted: isEncrypted(medium)) ?? []
    }

    /// What the description says of the medium, and which source the server announced. Of one that records, the source is
    /// the client's own affair.
    package func agreement(on medium: Int) -> StreamAgreement {
        var agreement =
            self.medium(ofSetup: medium)?.agreement(
                description?.attributes ?? [], isEncrypted: isEncrypted(medium),
                most: limits[RTPLimits.self].announced)
            ?? StreamAgreement()
        let limit = self.medium(ofSetup: medium)?.bandwidths.first { $0.type == "AS" }?.value
        agreement.bandwidth = limit.flatMap { (1...Self.mostKilobits).contains($0) ? $0 * 1_000 : nil }
        let setup = setups[medium]
        if let source = setup.granted.ssrc, !setup.isRecording { agreement.sources = [source] }
        return agreement
    }

    /// Kilobits in a second beyond which a limit says nothing.
    private static let mostKilobits = 1_000_000_000

    package func agreementFrame(of medium: Int) -> Int { setups[medium].answerFrame }

    package func medium(ofSource ssrc: UInt32) -> Int? {
        setups.lastIndex { $0.granted.ssrc == ssrc && !$0.isRecording }
    }

    /// Where the client's ports may be other ones behind a router, nothing is missed at those it told.
    package func agreedDestination(of medium: Int, insteadOf end: Endpoint) -> Endpoint? {
        let setup = setups[medium]
        guard setup.isMet, !setup.rtpEndpoints.contains(end) else { return nil }
        return setup.rtpEndpoints.first { $0.address == end.address }
    }

    /// A stream of the setup began; returns the sequence number that RTP-Info announced for it, nil if it named none.
    package func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16? {
        if firstMediaTime == nil { firstMediaTime = time }
        guard let medium, setups.indices.contains(medium), let announced = setups[medium].announcedSequence else {
            return nil
        }
        setups[medium].announcedSequence = nil
        return announced
    }

    /// A stream of the setup ended.
    package func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool) {
        mediaPackets += stream.packets
        guard !stream.isRepair else { return noteEnd(of: stream) }
        mediaLost += stream.unrecovered + stream.skipped
        if !isInterleaved { mediaArrived += stream.arrived }
        mediaSkipped += stream.skipped
        mediaPerhapsSkipped += stream.perhapsSkipped
        if isInterleaved { interleavedLost += stream.unrecovered }
        mediaPaused = max(mediaPaused, stream.pausedSeconds)
        lastMediaTime = max(lastMediaTime ?? stream.endTime, stream.endTime)
        noteKeyframes(of: stream, medium: medium)
        if let medium, setups.indices.contains(medium) {
            setups[medium].mediaPackets += stream.packets
            if stream.reports.receiverReports > 0 { setups[medium].isReported = true }
        }
        noteEnd(of: stream)
    }

    /// What was expected at an endpoint, if anything, and whether this is the first error about it.
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
    /// How long before the end a player may close its port, in seconds: processes that are ended close all at once.
    private static let secondsOfLeaving = 1.0

    /// The endpoint at which the receiver's host refused media that was wanted: not when it was leaving, nor where receiver
    /// reports prove that somebody listened.
    var refusedMedia: Endpoint? { setups.lazy.compactMap { self.refusal(of: $0) }.first }

    private func refusal(of setup: MediaSetup) -> Endpoint? {
        guard let (endpoint, time) = setup.unreachable, !setup.isReported else { return nil }
        if let hungUp, hungUp.seconds(since: time) < Self.secondsOfLeaving { return nil }
        return endpoint
    }

    /// The first packet of a medium came after a pause.
    package func mediaResumed(_ medium: Int, _ sequence: UInt16, _ timestamp: UInt32, frame: Int) {
        guard setups.indices.contains(medium), let announced = setups[medium].announcedSequence else { return }
        setups[medium].announcedSequence = nil
        guard resumptions.count < Resumption.most else { return }
        resumptions.append(Resumption(setup: medium, announced: announced, first: sequence, frame: frame))
    }

    /// Whether media was stopped, started again or moved between two packets.
    package func isTurn(
        of medium: Int?, to sequence: UInt16, between before: Timestamp, and behind: Timestamp
    ) -> Bool {
        turns.isTurn(of: medium, to: sequence, between: before, and: behind)
            || isStartedByOther(between: before, and: behind)
    }
}

// What the rules of media ask.

extension RTSPSession {
    package var agreedMedia: [AgreedMedium] {
        setups.map {
            AgreedMedium(
                name: $0.uri.isEmpty ? uri ?? "" : $0.uri, packets: $0.mediaPackets, rtpEndpoints: $0.rtpEndpoints,
                rtcpEndpoints: $0.rtcpEndpoints,
                refused: refusal(of: $0))
        }
    }

    package var isEnding: Bool { isTornDown || closedBy == .close || closedBy == .reset }

    /// Of go2rtc.
    package var lacksSenderReports: Bool { serverName.map { TextSyntax.hasPrefix($0, "go2rtc") } ?? false }

    /// Of FFmpeg, by what it calls itself and by what it writes into descriptions.
    package func leavesNameOut(_ end: Endpoint) -> Bool {
        let isClient = end.address == client.address
        let tool = wasRecording == isClient ? description?.attributes.first("tool") : nil
        return [isClient ? userAgent : serverName, tool].contains { name in
            name.map { TextSyntax.hasPrefix($0, "Lavf") || TextSyntax.hasPrefix($0, "libavformat") } ?? false
        }
    }

    package func deniesReceiverReports(_ stream: StreamRecord) -> Bool {
        let medium = setupIndex(of: stream).flatMap { self.medium(ofSetup: $0) }
        let limits = (medium?.bandwidths ?? []) + (description?.bandwidths ?? [])
        return limits.first { $0.type == "RR" }?.value == 0
    }
}
