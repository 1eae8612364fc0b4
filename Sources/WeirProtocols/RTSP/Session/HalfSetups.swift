import WeirEngine
import WeirPackets

// Setups of which only one half is captured: the other half, with ports and channels, suffices to find the media.

extension RTSPSession {
    /// Whether server responses may be missing from the capture.
    var lacksAnswers: Bool {
        completeness.hasGap || completeness.isOneSided || completeness.hasDrops
    }

    /// Assumes that the client's offers were granted if media is requested whose SETUP responses are not captured.
    func assumeSetupsGranted(_ event: Event) -> Effects {
        var effects = Effects()
        for request in pending where request.message.knownMethod == .setup && request.direction == .clientToServer {
            setUp(request, request.message, event, &effects)
        }
        return effects
    }

    /// Handles a response whose request is not captured, as evidence of a setup or of media in progress.
    func unasked(_ message: RTSPMessage, _ event: Event) -> Effects {
        var effects = Effects()
        if let number = message.cseq, unmatchedResponses.count < Self.maxUnmatchedResponses {
            unmatchedResponses.insert(number)
        }
        let mayLack = lacksAnswers || completeness.startsLate
        guard mayLack, message.isSuccess, event.direction == .serverToClient else { return effects }
        if !message.transports.isEmpty {
            if let session = message.session { recordObserved(session) }
            // In a tunnel, requests may be dissected after their responses, so that the next medium is a guess.
            setUp(
                isTunneled ? "" : likelyURI, offered: [], in: (event.id, event.frame),
                granted: message.transports.first, event, &effects)
            ready()
        } else if !message.rtpInfo.isEmpty {
            noteAccepted(event)
            play(message, event.time, isAsked: false)
        }
        return effects
    }

    /// The control URI of the first medium not set up yet; empty without a description.
    private var likelyURI: String {
        guard let description else { return "" }
        let set = Set(setups.compactMap(\.mediumIndex))
        let next = description.media.indices.first { !set.contains($0) }
        guard let next, let control = description.media[next].control else { return "" }
        return ControlURL.resolve(control, base: baseURI ?? uri ?? "")
    }
}
