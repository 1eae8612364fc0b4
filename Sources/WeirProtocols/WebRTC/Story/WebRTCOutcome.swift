import WeirEngine
import WeirPackets

// What came of a call, in one line.

extension WebRTCSession {
    /// What happened in the end.
    var ownOutcome: [Text] {
        var lines: [Text] = []
        let held = causes().filter(\.isHeld)
        if let pair = selectedPair {
            lines.append(connected(on: pair))
        } else if connection?.serverHello != nil || !mediaStreams.isEmpty {
            lines.append(Text(firstCheck == nil ? "webrtc.outcome.waysUnseen" : "webrtc.outcome.nominationUnseen"))
        } else if firstCheck != nil {
            // Checks of which nothing is known but that they were sent may have been granted.
            let failed = completeness.isComplete && hadTimeToConnect && !held.isEmpty
            lines.append(Text(failed ? "webrtc.outcome.noPair" : "webrtc.outcome.noPairSeen"))
            if held.isEmpty { lines += unansweredChecks }
        } else if connections.isEmpty {
            lines.append(Text("webrtc.outcome.signalingOnly"))
        }
        if signalingBegan == nil { lines.append(Text("webrtc.outcome.signalingUnseen")) }
        if let restart {
            lines.append(
                restart.nominated.map {
                    Text("webrtc.outcome.restarted", .integer(restart.moment.frame), .integer($0.frame))
                } ?? Text("webrtc.outcome.restartOpen", .integer(restart.moment.frame)))
        }
        if let connection {
            lines.append(
                Text(
                    connection.isFinished || mediaPackets > 0
                        ? "webrtc.outcome.secured"
                        : completeness.isComplete && connection.alert != nil
                            ? "webrtc.outcome.notSecured" : "webrtc.outcome.notSecuredSeen"))
            if connection.serverHello?.hello.hidesCertificates == true,
                agents.all.contains(where: { !$0.fingerprints.isEmpty })
            {
                lines.append(Text("webrtc.outcome.hiddenCertificates"))
            }
        }
        if mediaPackets > 0, let first = firstMediaTime, let last = lastMediaTime {
            let isEncrypted = mediaStreams.allSatisfy(\.isEncrypted)
            lines.append(
                Text(
                    isEncrypted ? "webrtc.outcome.encryptedMedia" : "webrtc.outcome.media",
                    .decimal(max(0, last.seconds(since: first)), places: 1)))
            if mediaLost > 0 { lines.append(Text("webrtc.outcome.lost", .integer(mediaLost))) }
        }
        if let channel = sections.first?.media.first(where: { $0.type == "application" && $0.port != 0 }),
            connection?.isFinished == true
        {
            lines.append(Text("webrtc.outcome.dataChannel", .string(channel.proto)))
            let names = channel.dataChannels
            if !names.isEmpty {
                lines.append(Text("webrtc.outcome.dataChannels", .string(names.joined(separator: ", "))))
            }
        }
        lines += held.prefix(4).map(\.text)
        return lines
    }

    /// Directions in which checks were sent, and the capture holds no answer: too few to say that there was none.
    private var unansweredChecks: [Text] {
        var lines: [Text] = []
        for pair in pairs {
            for direction in [Direction.clientToServer, .serverToClient] {
                let checks = pair[direction]
                guard let last = checks.last, checks.succeeded + checks.refused == 0, lines.count < 4 else { continue }
                lines.append(
                    Text(
                        "webrtc.outcome.unanswered", .integer(last.frame), .integer(checks.sent + checks.repeated),
                        .text(pair.name(direction)), .text(pair.name(direction.opposite))))
            }
        }
        return lines
    }

    /// The pair that the call went over, and how long it took to find a way.
    private func connected(on pair: ICEPair) -> Text {
        let local: Direction = isTurned(pair) ? .serverToClient : .clientToServer
        return Text(
            pair.isRelayed
                ? "webrtc.outcome.relayed"
                : pair.isTCP ? "webrtc.outcome.connectedTCP" : "webrtc.outcome.connected",
            .text(pair.name(local)), .text(pair.name(local.opposite)), nominated(pair).map { .text($0) } ?? .string(""))
    }

    private func nominated(_ pair: ICEPair) -> Text? {
        guard let waited = iceTime, let first = nomination else { return nil }
        if let own = pair.nominated, own.frame != first.frame {
            return Text("webrtc.outcome.nominatedLater", .integer(own.frame), .decimal(waited, places: 1))
        }
        return Text("webrtc.outcome.nominated", .decimal(waited, places: 1))
    }
}
