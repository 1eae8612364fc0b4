import WeirEngine
import WeirPackets

// What the RTSP rules share: reading a step, and what they remember.

extension RTSPMessage {
    /// Whether it is an answer of class 2xx.
    var isSuccess: Bool { status.map { (200..<300).contains($0) } ?? false }
    /// Whether it is of RTSP 2.0 or later.
    var isVersion2: Bool { version.major >= 2 }
}

extension Step {
    /// Whether the client sent it.
    var isFromClient: Bool { event.direction == .clientToServer }

    /// An answer of class 2xx to a request with this method that the client sent.
    func accepted(_ method: String) -> (request: RTSPMessage, answer: RTSPMessage)? {
        acceptedMethod == method ? answered : nil
    }

    /// The quirk that excuses what AirPlay does otherwise than RTSP; nil in other sessions.
    var airPlay: String? { rtspSession?.dialect == .airPlay ? "Q-AIRPLAY" : nil }

    /// Whether the capture lacks the beginning of the session, or octets of it, so far.
    var mayHaveMissed: Bool {
        completeness.map { $0.startsLate || $0.hasGap || $0.isCut || $0.hasDrops } ?? true
    }
}

extension Session.Completeness {
    /// Whether messages of the control connection may be missing, whatever is known of the session's end.
    var lacksMessages: Bool { startsLate || hasGap || isOneSided || isCut || hasDrops }
}

/// One direction of one connection.
struct SenderSide: Hashable {
    var flow: Int
    var direction: Direction

    init(_ event: Event) {
        flow = event.flow
        direction = event.direction
    }
}

/// Habits of a program that were told already: a date in another format is told once for each side, not once for each
/// message.
struct Habits {
    private var told: Recent<String, Bool> = Recent(limit: 32)

    /// Whether `habit` of the sender of `event` is news.
    mutating func isNews(_ habit: String, _ event: Event) -> Bool {
        let key = "\(event.direction.rawValue) \(habit)"
        guard told[key] == nil else { return false }
        told[key] = true
        return true
    }
}

extension RTSPSession {
    /// Whether a SETUP without a session id is of another presentation than what is set up, so that a session of its own
    /// begins: only a SETUP that includes an id is bundled with others (RFC 2326 §10.4).
    func beginsAnother(_ request: RTSPMessage) -> Bool {
        guard request.method == "SETUP", request.session?.identifier ?? "" == "", let uri = request.uri, !setups.isEmpty
        else { return false }
        let asked = RTSPControlURI.normal(uri)
        let known = setups.map { RTSPControlURI.normal($0.uri) }
        if known.contains(where: { Self.folder($0) == Self.folder(asked) }) { return false }
        guard let description, let baseURI else { return true }
        let controls = description.media.compactMap(\.control).flatMap { control in
            [ControlURL.resolve(control, base: baseURI), ControlURL.concatenate(control, base: baseURI)]
        }.map(RTSPControlURI.normal)
        return !(controls.contains(asked) && known.contains { controls.contains($0) })
    }

    /// What stands before the last slash.
    private static func folder(_ uri: String) -> Substring {
        uri.utf8.lastIndex(of: ASCII.slash).map { uri[..<$0] } ?? uri[...]
    }

    /// The medium that a stream belongs to: by its channel, or by the ports that SETUP announced.
    func setupIndex(of stream: StreamRecord) -> Int? {
        if let channel = stream.media?.channel {
            return setups.firstIndex { $0.channels?.contains(channel) == true }
        }
        // What a client sends when it is to receive only opens its firewall.
        let isFromClient = stream.source.address == client.address && client.address != server.address
        return setups.firstIndex {
            $0.isRecording || !isFromClient
                ? $0.rtpEndpoints.contains(stream.destination) || $0.rtpEndpoints.contains(stream.source) : false
        }
    }
}
