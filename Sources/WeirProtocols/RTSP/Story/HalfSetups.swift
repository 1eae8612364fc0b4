import WeirEngine
import WeirPackets

// Setups of which the capture holds one half: the other one, with ports and channels, is enough to find the media.

extension RTSPSession {
    /// Whether answers of the server may be missing from the capture.
    var lacksAnswers: Bool {
        completeness.hasGap || completeness.isOneSided || completeness.hasDrops
    }

    /// Media is asked for that was set up in answers which the capture lacks: what the client offered was granted, or it would
    /// not ask.
    func takeSetupsForGranted(_ event: Event) -> Effects {
        var effects = Effects()
        for request in pending where request.message.method == "SETUP" && request.direction == .clientToServer {
            setUp(request, request.message, event, &effects)
        }
        return effects
    }

    /// An answer came whose request the capture lacks: it tells what was set up, or that media flows.
    func unasked(_ message: RTSPMessage, _ event: Event) -> Effects {
        var effects = Effects()
        if let number = message.cseq, unaskedAnswers.count < Self.mostUnasked { unaskedAnswers.insert(number) }
        let mayLack = lacksAnswers || completeness.startsLate
        guard mayLack, message.isSuccess, event.direction == .serverToClient else { return effects }
        if !message.transports.isEmpty {
            if let session = message.session { learn(session) }
            setUp(
                likelyURI, offered: [], in: (event.id, event.frame), granted: message.transports.first, event, &effects)
            ready()
        } else if !message.rtpInfo.isEmpty {
            noteAccepted(event)
            play(message, event.time, isAsked: false)
        }
        return effects
    }

    /// The control URI of the first medium that was not set up yet; empty when nothing is described.
    private var likelyURI: String {
        guard let description else { return "" }
        let set = Set(setups.compactMap(\.mediumIndex))
        let next = description.media.indices.first { !set.contains($0) }
        guard let next, let control = description.media[next].control else { return "" }
        return ControlURL.resolve(control, base: baseURI ?? uri ?? "")
    }
}
