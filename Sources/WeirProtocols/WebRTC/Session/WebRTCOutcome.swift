import WeirEngine
import WeirPackets

// The outcome of a call, in one line.

extension WebRTCSession {
    /// The result of the call.
    var ownOutcome: [Text] {
        if isRelayOnly { return relayOutcome }
        var lines: [Text] = []
        let held = iceCauses().filter(\.isHeld)
        let transports = transports
        for (index, transport) in transports.enumerated() {
            let found = ways(of: transport, held)
            guard transports.count > 1 else {
                lines += found
                continue
            }
            lines += found.prefix(1).map {
                Text("webrtc.outcome.transport", .text(name(of: transport, index + 1)), .text($0))
            }
            lines += found.dropFirst()
        }
        if signalingBegan == nil { lines.append(encryptedSignaling ?? Text("webrtc.outcome.signalingUnseen")) }
        if let restart {
            lines.append(
                restart.nominated.map {
                    Text("webrtc.outcome.restarted", .integer(restart.moment.frame), .integer($0.frame))
                } ?? Text("webrtc.outcome.restartOpen", .integer(restart.moment.frame)))
        }
        if let newNames, transports.count == 1 {
            lines.append(Text("webrtc.outcome.newNames", .integer(newNames.frame)))
        }
        lines += keys(of: transports)
        lines += rejectedMedia()
        if mediaPackets > 0, let first = firstMediaTime, let last = lastMediaTime {
            let isEncrypted = mediaStreams.allSatisfy(\.isEncrypted)
            lines.append(
                Text(
                    isEncrypted ? "webrtc.outcome.encryptedMedia" : "webrtc.outcome.media",
                    .decimal(max(0, last.seconds(since: first)), places: 1)))
            if mediaLost > 0 { lines.append(Text("webrtc.outcome.lost", .integer(mediaLost))) }
        }
        if let channel = dataChannelSection {
            let isRead = connections.contains { $0.channels?.channels.isEmpty == false }
            lines.append(
                Text(isRead ? "webrtc.outcome.readDataChannel" : "webrtc.outcome.dataChannel", .string(channel.proto)))
            let names = channel.dataChannels
            if !names.isEmpty {
                lines.append(Text("webrtc.outcome.dataChannels", .string(names.joined(separator: ", "))))
            }
        }
        return lines
    }

    /// The media section of data channels whose keys were agreed.
    private var dataChannelSection: MediaDescription? {
        guard connection?.isFinished == true else { return nil }
        return sections.first?.media.first { $0.type == "application" && $0.port != 0 }
    }

    /// Whether relay addresses were granted, the call has nothing but data channels, or it connected and no description
    /// says what for.
    var worksWithoutStreams: Bool {
        if isRelayOnly { return allocations.contains { $0.granted != nil } }
        guard offer != nil || answer != nil else { return transports.contains { selectedPair(of: $0) != nil } }
        let media = sections.first?.media.filter { $0.type != "application" && $0.port != 0 } ?? []
        return dataChannelSection != nil && media.isEmpty
    }

    /// Describes offered media that the answer rejects with port 0 (RFC 3264 §6).
    private func rejectedMedia() -> [Text] {
        guard let answer = answer?.content, let offer = offer?.content, let frame = firstAnswer?.frame else {
            return []
        }
        let rejected = zip(answer.media, offer.media).filter { answer.isRejected($0) && !offer.isRejected($1) }
        guard !rejected.isEmpty else { return [] }
        let types = rejected.map(\.0.type).joined(separator: ", ")
        return [Text("webrtc.outcome.rejected", .string(types), .integer(frame))]
    }

    /// Returns which encrypted connection of the call's hosts may carry its signaling, if there is one; several prove
    /// nothing.
    private var encryptedSignaling: Text? {
        guard encryptedFlows.count == 1, let flow = encryptedFlows.first else { return nil }
        return Text("webrtc.outcome.signalingEncrypted", .integer(flow.id), .string(flow.name))
    }

    /// Returns whether a pair was nominated, and which.
    private func ways(of transport: ICETransport, _ causes: [ICECause]) -> [Text] {
        let isChecked = firstCheck(of: transport) != nil
        if let pair = selectedPair(of: transport) {
            let line = connected(on: pair, of: transport)
            return lacksHandshake(transport) ? [Text("webrtc.outcome.noDTLS"), line] : [line]
        }
        if connection(of: transport)?.serverHello != nil || !streams(of: transport).isEmpty {
            return [Text(isChecked ? "webrtc.outcome.nominationUnseen" : "webrtc.outcome.waysUnseen")]
        }
        if isChecked {
            // Checks without captured responses may have succeeded.
            let isProved = causes.contains { !$0.isLikely }
            let failed = completeness.isComplete && hadTimeToConnect(transport) && isProved
            let line = Text(failed ? "webrtc.outcome.noPair" : "webrtc.outcome.noPairSeen")
            return causes.isEmpty ? [line] + unansweredChecks(of: transport) : [line]
        }
        if let refusalOutcome { return [refusalOutcome] }
        return connections.isEmpty ? [Text("webrtc.outcome.signalingOnly")] : []
    }

    /// Returns whether SRTP keys were established, once for all transports if they do not differ.
    private func keys(of transports: [ICETransport]) -> [Text] {
        let lines = transports.enumerated().compactMap { index, transport -> (name: Text, what: Text)? in
            guard let connection = connection(of: transport) else { return nil }
            let isSecured = connection.isFinished || mediaPackets > 0 && !streams(of: transport).isEmpty
            if isSecured, let late = connection.lateHandshake {
                let text = Text("webrtc.outcome.securedLate", .seconds(late.seconds), .integer(late.repetitions))
                return (name(of: transport, index + 1), text)
            }
            let key =
                isSecured
                ? "webrtc.outcome.secured"
                : completeness.isComplete && connection.alert != nil
                    ? "webrtc.outcome.notSecured" : "webrtc.outcome.notSecuredSeen"
            return (name(of: transport, index + 1), Text(key))
        }
        guard let first = lines.first else { return [] }
        let areAlike = lines.allSatisfy { $0.what == first.what } && lines.count == transports.count
        var texts =
            areAlike
            ? [first.what] : lines.map { Text("webrtc.outcome.transport", .text($0.name), .text($0.what)) }
        if fingerprintMatches == nil,
            connections.contains(where: { $0.serverHello?.hello.hidesCertificates == true }),
            agents.all.contains(where: { !$0.fingerprints.isEmpty })
        {
            texts.append(Text("webrtc.outcome.hiddenCertificates"))
        }
        return texts
    }

    /// Returns directions with checks whose responses were not captured: too few checks to conclude that there was no
    /// response.
    private func unansweredChecks(of transport: ICETransport) -> [Text] {
        var lines: [Text] = []
        for pair in pairs(of: transport) {
            for direction in [Direction.clientToServer, .serverToClient] {
                let checks = pair[direction]
                guard let last = checks.last, checks.succeeded + checks.refused + checks.unauthenticated == 0,
                    lines.count < 4
                else { continue }
                lines.append(
                    Text(
                        "webrtc.outcome.unanswered", .integer(last.frame), .integer(checks.sent + checks.repeated),
                        .text(pair.name(direction)), .text(pair.name(direction.opposite))))
            }
        }
        return lines
    }

    /// Returns the selected pair, and the time until its nomination.
    private func connected(on pair: ICEPair, of transport: ICETransport) -> Text {
        let local: Direction = isTurned(pair) ? .serverToClient : .clientToServer
        return Text(
            pair.isRelayed
                ? "webrtc.outcome.relayed"
                : pair.isTCP ? "webrtc.outcome.connectedTCP" : "webrtc.outcome.connected",
            .text(pair.name(local)), .text(pair.name(local.opposite)),
            nominated(pair, transport).map { .text($0) } ?? .string(""))
    }

    private func nominated(_ pair: ICEPair, _ transport: ICETransport) -> Text? {
        guard let waited = iceTime(of: transport), let first = nomination(of: transport) else { return nil }
        if let own = pair.nominated, own.frame != first.frame {
            return Text("webrtc.outcome.nominatedLater", .integer(own.frame), .decimal(waited, places: 1))
        }
        return Text("webrtc.outcome.nominated", .decimal(waited, places: 1))
    }
}
