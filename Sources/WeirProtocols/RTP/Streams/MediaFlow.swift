package import WeirEngine
package import WeirPackets

/// The media packets of a flow: RTP and RTCP, in datagrams or interleaved with other messages.
package final class MediaFlow: PacketReader {
    let flow: FlowState
    let media: MediaStreams
    /// The streams that were seen, ended ones too.
    var streams: [MediaEntry] = []
    /// What tells them apart, at the same places.
    var keys: [MediaKey] = [] { didSet { changes &+= 1 } }
    /// Streams of which it is not known yet whether they go on with what another source began.
    var ssrcChanges: [SSRCChange] = [] { didSet { changes &+= 1 } }
    /// Grows with every change of what tells the streams apart.
    private(set) var changes = 0
    /// The session and medium that the flow was claimed for.
    private let claimedBy: (any MediaOwner)?
    let medium: Int?
    /// First packets of sources that nobody announced: one packet is no stream.
    var probation = SourceProbation()
    /// Whether the media that it was claimed for was set up to be encrypted.
    private let isClaimedEncrypted: Bool
    /// Whether a relay carries its packets inside its own messages.
    private(set) var isRelayed = false
    /// The frame at hand while what came before it is told, now that it is known to be media.
    var recognisedFrame: Int?
    /// Whether RTCP travels on the flow.
    private(set) var hasReports = false
    /// RTCP datagrams that were seen to be encrypted, and others.
    private var reports = (secure: 0, clear: 0)

    init(_ flow: FlowState, _ media: MediaStreams) {
        self.flow = flow
        self.media = media
        let owner = flow.claim?.owner as? any MediaOwner
        claimedBy = owner
        medium = owner == nil ? nil : flow.claim?.claim.purpose
        isClaimedEncrypted = owner.flatMap { owner in flow.claim.map { owner.isEncrypted($0.claim.purpose) } } ?? false
    }

    /// What reads the media of a flow: RTP and RTCP have one reader, whichever of the two was recognised first.
    static func reader(of flow: FlowState, _ outlet: StoryOutlet) -> MediaFlow {
        if flow.claim == nil, let known = flow.packets as? MediaFlow { return known }
        if flow.claim == nil, flow.latestSession == nil, let session = session(toldAt: flow, outlet) {
            outlet.attach(flow, to: session)
        }
        return MediaFlow(flow, outlet.shared(MediaStreams.self))
    }

    /// What is said to send or receive media at an end.
    package static func told(isTCP: Bool, _ endpoint: Endpoint) -> ClaimKey {
        .name(space: "media.end", "\(isTCP ? "tcp" : "udp") \(endpoint)")
    }

    /// The session whose signaling told both ends of a flow, when the capture lacks all else that would join them.
    private static func session(toldAt flow: FlowState, _ outlet: StoryOutlet) -> (any MediaOwner)? {
        let sessions = outlet.claimants(of: told(isTCP: flow.transport == .tcp, flow.server))
        return sessions.lazy.compactMap { $0 as? any MediaOwner }.last { $0.tells(flow.client, flow.server) }
    }

    /// The session that the flow's media belongs to: the one that claimed it, or one of the flow's own that says so.
    var owner: (any MediaOwner)? {
        if let claimedBy { return claimedBy }
        // Calls may follow each other on the same ports.
        guard let own = flow.latestSession as? any MediaOwner, own.ownsFlows else { return nil }
        return own
    }

    /// Whether its media was set up to be encrypted.
    var isEncrypted: Bool { claimedBy == nil ? owner?.isEncrypted(0) ?? false : isClaimedEncrypted }

    /// RTP and RTCP begin with version 2 (RFC 7983 §7).
    package func accepts(_ datagram: RawSpan) -> Bool { (datagram.byte(at: 0) ?? 0x80) >> 6 == 2 }

    /// It turned out what session the flow is of: its streams are of that, too.
    package func join(_ session: any MediaOwner) {
        for entry in streams where entry.session == nil {
            entry.session = session
            entry.isEncrypted = entry.isEncrypted || session.isEncrypted(0)
            session.streams.append(entry.id)
            session.mediaStreams.append(entry)
        }
    }

    package func read(_ packet: RawSpan, _ arrival: PacketArrival) {
        isRelayed = arrival.isRelayed
        guard let second = packet.byte(at: 1) else { return }
        if RTCPPacket.isRTCP(secondOctet: second) {
            media.readRTCP(
                packet, arrival.channel, self, arrival.at, isCut: packet.byteCount < arrival.wireLength)
            return
        }
        do throws(DecodeError) {
            let header = try RTPHeader(packet, wireLength: arrival.wireLength)
            media.readRTP(header, packet, channel: arrival.channel, self, arrival.at)
            if arrival.isFragmented { media.noteFragments(header, arrival, self) }
        } catch {
            media.readBroken(packet, error, arrival, self)
        }
    }

    package func readAgain(_ packet: RawSpan, _ direction: Direction) {
        guard let ssrc = packet.uint32(at: 8) else { return }
        countAgain(ssrc, direction)
    }

    /// Counts a packet that the capture holds again: with its stream, and nowhere else.
    func countAgain(_ ssrc: UInt32, _ direction: Direction) {
        for key in keys where key.ssrc == ssrc && key.direction == direction && key.stream >= 0 {
            media.streams[key.stream].observeCaptureDuplicate()
        }
    }

    package func finish(at frame: FrameInfo) {
        for entry in streams { media.end(entry, at: frame) }
    }

    /// Whether the flow's RTCP is encrypted: one packet alone may look as if it were in the clear by chance.
    var hasSecureReports: Bool { isEncrypted || reports.secure > 1 && reports.secure > 4 &* reports.clear }

    /// Whether media came in datagrams of the flow.
    var hasMedia: Bool { streams.contains { $0.channel == nil } }

    /// Notes what an RTCP datagram was taken for.
    func noteReport(isEncrypted: Bool) {
        if isEncrypted { reports.secure &+= 1 } else { reports.clear &+= 1 }
        guard hasSecureReports else { return }
        // Nobody who encrypts reports sends their media in the clear, unless a description says so.
        for entry in streams where !entry.isEnded { entry.isEncrypted = true }
    }

    /// Notes that RTCP travels on the flow.
    func noteRTCP() {
        guard !hasReports else { return }
        hasReports = true
        flow.addProtocol("rtcp")
    }

    /// The streams whose packets a fast path may take: not one that may be another's successor, which is still looked at.
    var followed: [MediaKey] {
        keys.filter { key in !ssrcChanges.contains { $0.now.stream == key.stream } }
    }
}
