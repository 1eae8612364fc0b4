import WeirEngine
import WeirPackets

// Shared by the RTSP rules: access to a step, and state kept between steps.

extension RTSPMessage {
    /// Whether it is a 2xx response.
    var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    /// Whether the version is RTSP 2.0 or later.
    var isVersion2: Bool { head.start.version.major >= 2 }
}

extension Step {
    /// Whether the client sent it.
    var isFromClient: Bool { event.direction == .clientToServer }

    /// The quirk for AirPlay deviations from RTSP, or nil in other sessions.
    var airPlay: String? { rtspSession?.dialect == .airPlay ? "Q-AIRPLAY" : nil }

    /// Whether the start of the session, or data of it, is not captured so far.
    var mayHaveMissed: Bool {
        completeness.map { $0.startsLate || $0.hasGap || $0.isCut || $0.hasDrops } ?? true
    }
}

extension Session.Completeness {
    /// Whether messages of the control connection may be missing, regardless of the end of the session.
    var lacksMessages: Bool { startsLate || hasGap || isOneSided || isCut || hasDrops }
}

/// One direction of one connection.
struct SenderSide: Hashable {
    var flow: Int
    var direction: Direction

    init(_ event: borrowing Event) {
        flow = event.flow
        direction = event.direction
    }
}

/// Habits already reported: an unusual date format is reported once per side, not once per message.
struct Habits {
    private var reported: Recent<String, Bool> = Recent(limit: 32)

    /// Whether `habit` of the sender of `event` is not yet reported.
    mutating func isNews(_ habit: String, _ event: Event) -> Bool {
        let key = "\(event.direction.rawValue) \(habit)"
        guard reported[key] == nil else { return false }
        reported[key] = true
        return true
    }
}

extension RTSPSession {
    /// Whether a SETUP without a session ID is for another presentation than the current one, and so starts a session
    /// of its own: only a SETUP with an ID joins an existing session (RFC 2326 §10.4).
    func beginsAnother(_ request: RTSPMessage) -> Bool {
        guard request.knownMethod == .setup, request.hasNoSession, let uri = request.uri, !setups.isEmpty
        else { return false }
        let asked = ControlURL.comparable(uri)
        let known = setups.map { ControlURL.comparable($0.uri) }
        if known.contains(where: { Self.folder($0) == Self.folder(asked) }) { return false }
        guard let description, let baseURI else { return true }
        let controls = description.media.compactMap(\.control).flatMap { control in
            [ControlURL.resolve(control, base: baseURI), ControlURL.concatenate(control, base: baseURI)]
        }.map(ControlURL.comparable)
        return !(controls.contains(asked) && known.contains { controls.contains($0) })
    }

    /// Whether a SETUP without a session ID may begin another session: media was accepted, or its medium is set up.
    func mayBeginAgain(_ request: RTSPMessage) -> Bool {
        mediaAccepted != nil || setups.contains { $0.uri == request.uri }
    }

    /// Returns the part before the last slash.
    private static func folder(_ uri: String) -> Substring {
        uri.utf8.lastIndex(of: ASCII.slash).map { uri[..<$0] } ?? uri[...]
    }

    /// Returns the setup that a stream belongs to, by its channel or the ports in SETUP.
    func setupIndex(of stream: StreamRecord) -> Int? {
        if let channel = stream.media?.channel {
            return setups.firstIndex { $0.channels?.contains(channel) == true }
        }
        // Packets from a client that only receives are meant to open its firewall.
        let isFromClient = stream.source.address == client.address && client.address != server.address
        return setups.firstIndex {
            $0.isRecording || !isFromClient
                ? $0.rtpEndpoints.contains(stream.destination) || $0.rtpEndpoints.contains(stream.source) : false
        }
    }
}
