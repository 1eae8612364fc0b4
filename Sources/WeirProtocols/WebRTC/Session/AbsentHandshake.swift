import WeirEngine
import WeirPackets

// Calls in which a pair was nominated, and DTLS never started.

extension WebRTCSession {
    /// Seconds of successful checks after the nomination within which a ClientHello was due.
    private static var helloSeconds: Double { 2 }

    /// Whether the capture shows that neither side started DTLS on a transport: it contains the call from its offer on,
    /// and both sides' packets on the nominated pair for seconds, but no DTLS and no media.
    func lacksHandshake(_ transport: ICETransport) -> Bool {
        guard let works = nomination(of: transport), connections(of: transport).isEmpty, mediaStreams.isEmpty,
            connections.isEmpty, containsBeginning(before: works), !mayLackDatagrams,
            // Only an agent that signaled a certificate uses DTLS.
            agents.all.contains(where: { !$0.fingerprints.isEmpty })
        else { return false }
        let latest = pairs(of: transport).flatMap { [$0.fromClient.lastSuccess, $0.fromServer.lastSuccess] }
        guard let last = latest.compactMap({ $0?.time }).max() else { return false }
        return last.seconds(since: works.time) > Self.helloSeconds
    }

    /// Whether offer and answer precede the nomination, so that no handshake took place before the capture.
    private func containsBeginning(before works: ICEPair.Moment) -> Bool {
        guard let offer = firstOffer, let answer = firstAnswer, !completeness.startsLate,
            !pairs.contains(where: \.lacksChecks)
        else { return false }
        return offer.frame < works.frame && answer.frame < works.frame
    }

    /// Whether datagrams of the call may be missing from the capture.
    private var mayLackDatagrams: Bool {
        completeness.hasDrops || completeness.isFiltered || completeness.isCut || completeness.isLimited
            || completeness.clockWentBack || completeness.hasGap || completeness.isOneSided
    }

    /// Returns why neither side started: both descriptions are passive, or the active side sent nothing.
    func absentHandshakeCauses(_ works: ICEPair.Moment) -> [ICECause] {
        guard let offerer, agents.all.count == 2, let offered = agents[offerer].descriptionFrame,
            let answered = agents[1 - offerer].descriptionFrame
        else { return [ICECause(kind: .noDTLS, isHeld: true, frame: works.frame, subject: [])] }
        let (offer, answer) = (agents[offerer].setup, agents[1 - offerer].setup)
        if offer == "passive", answer == "passive" {
            return [
                ICECause(
                    kind: .bothPassive, isHeld: true, frame: offered, moreFrames: [answered],
                    subject: [.integer(answered)])
            ]
        }
        let begins = Self.isOfferersTurn(answer)
        let name = begins.map { $0 ? "webrtc.offerer" : "webrtc.answerer" }
        return [
            ICECause(
                kind: .noDTLS, isHeld: true, frame: works.frame, moreFrames: name == nil ? [] : [answered],
                subject: name.map { [.text(Text($0)), .string(answer ?? ""), .integer(answered)] } ?? [],
                variant: name == nil ? nil : "due")
        ]
    }

    /// Whether the offerer sends the ClientHello, or nil if the answer leaves it open (RFC 8842 §5.3).
    private static func isOfferersTurn(_ answer: String?) -> Bool? {
        switch answer {
        case "active": false
        case "passive": true
        default: nil
        }
    }

    /// Returns the cause if both sides sent a ClientHello as their descriptions require, or nil.
    func bothActive(_ connection: DTLSConnection) -> ICECause? {
        guard let offerer, agents.all.count == 2, agents.all.allSatisfy({ $0.setup == "active" }),
            let offered = agents[offerer].descriptionFrame, let answered = agents[1 - offerer].descriptionFrame,
            completeness.isComplete || connection.clientHellos > 2
        else { return nil }
        let hello = connection.clientHello?.moment.frame
        return ICECause(
            kind: .bothActive, isHeld: true, frame: offered, moreFrames: [answered, hello].compactMap { $0 },
            subject: [.integer(answered)])
    }
}
