import WeirEngine
import WeirPackets

/// The media packets of a flow: RTP and RTCP, in datagrams or interleaved with other messages.
final class MediaFlow: PacketReader {
    let flow: FlowState
    let media: MediaStreams
    /// All streams, including ended ones.
    var streams: [MediaEntry] { storedStreams.current }
    private var storedStreams = Lent<[MediaEntry]>([])
    /// Their keys, at the same indices.
    var keys: [MediaKey] { storedKeys.current }
    private var storedKeys = Lent<[MediaKey]>([])
    /// Streams that may or may not continue another source.
    var ssrcChanges: [SSRCChange] {
        get { storedChanges }
        set {
            storedChanges = newValue
            changes &+= 1
        }
    }
    private var storedChanges: [SSRCChange] = []
    /// Incremented for every change of the keys.
    private(set) var changes = 0
    /// The session that claimed the flow.
    private let claimedBy: (any MediaOwner)?
    let medium: Int?
    /// First packets of unannounced sources: one packet does not make a stream.
    var probation = SourceProbation()
    /// Whether the claimed medium was set up as encrypted.
    private let isClaimedEncrypted: Bool
    /// Whether a relay carries its packets inside its own messages.
    private(set) var isRelayed = false
    /// The current frame while packets received before recognition as media are replayed.
    var firstRecognizedFrame: Int?
    /// Whether the flow carries RTCP.
    private(set) var hasReports = false
    /// The decryption of its RTCP.
    var reportKeys = SRTCPReceiver()
    /// RTCP datagrams detected as encrypted, and others.
    private var reports = (secure: 0, clear: 0)

    init(_ flow: FlowState, _ media: MediaStreams) {
        self.flow = flow
        self.media = media
        let matched = flow.claim
        claimedBy = matched?.owner.mediaOwner
        medium = claimedBy == nil ? nil : matched?.claim.purpose
        isClaimedEncrypted = if let claimedBy, let medium { claimedBy.isEncrypted(medium) } else { false }
    }

    /// Returns the packet reader of a flow: RTP and RTCP share one, whichever was recognized first.
    static func reader(of flow: FlowState, _ outlet: SessionOutlet) -> MediaFlow {
        if !flow.isClaimed, let known = flow.packets as? MediaFlow { return known }
        if !flow.isClaimed, flow.latestSession == nil, let session = session(signaledAt: flow, outlet) {
            outlet.attach(flow, to: session)
        }
        return MediaFlow(flow, outlet.shared(MediaStreams.self))
    }

    /// Adds a stream.
    func add(_ entry: MediaEntry, _ key: MediaKey) {
        var streams = storedStreams.take()
        streams.append(entry)
        storedStreams.put(consume streams)
        var keys = storedKeys.take()
        keys.append(key)
        storedKeys.put(consume keys)
        changes &+= 1
    }

    /// Records that the stream in a slot has ended.
    func end(_ stream: Int32) {
        var keys = storedKeys.take()
        for index in keys.indices where keys[index].stream == stream { keys[index].stream = -1 }
        storedKeys.put(consume keys)
        changes &+= 1
    }

    /// Returns the claim key of an endpoint signaled to send or receive media.
    static func reported(isTCP: Bool, _ endpoint: Endpoint) -> ClaimKey {
        .name(space: "media.end", "\(isTCP ? "tcp" : "udp") \(endpoint)")
    }

    /// Returns the session whose signaling contains both endpoints of a flow, if not enough was captured to link them
    /// otherwise.
    private static func session(signaledAt flow: FlowState, _ outlet: SessionOutlet) -> (any MediaOwner)? {
        let sessions = outlet.claimants(of: reported(isTCP: flow.transport == .tcp, flow.server))
        return sessions.lazy.compactMap { $0.mediaOwner }.last { $0.signals(flow.client, flow.server) }
    }

    /// The session of the flow's media: the one that claimed it, or one of the flow's own that owns its media.
    var owner: (any MediaOwner)? {
        if let claimedBy { return claimedBy }
        // Calls may follow each other on the same ports.
        guard let session = flow.latestSession, let own = session.mediaOwner, own.ownsFlows else { return nil }
        return own
    }

    /// Whether its media was set up as encrypted.
    var isEncrypted: Bool { claimedBy == nil ? owner?.isEncrypted(0) ?? false : isClaimedEncrypted }

    /// Returns whether a datagram may be media: RTP and RTCP begin with version 2 (RFC 7983 §7).
    func accepts(_ datagram: RawSpan) -> Bool { (datagram.byte(at: 0) ?? 0x80) >> 6 == 2 }

    /// Assigns the flow and its streams to a session found later.
    func join(_ session: any MediaOwner) {
        for entry in streams where entry.session == nil {
            entry.session = session
            entry.isEncrypted = entry.isEncrypted || session.isEncrypted(0)
            session.streams.append(entry.id)
            session.mediaStreams.append(entry)
        }
    }

    func read(_ packet: RawSpan, _ arrival: PacketArrival) {
        isRelayed = arrival.isRelayed
        guard let second = packet.byte(at: 1) else { return }
        if RTCPPacket.isRTCP(secondOctet: second) {
            media.rtcp.read(
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

    func readAgain(_ packet: RawSpan, _ direction: Direction) {
        guard let ssrc = packet.uint32(at: 8) else { return }
        countAgain(ssrc, direction)
    }

    /// Counts a packet duplicated by the capture, in its stream only.
    func countAgain(_ ssrc: UInt32, _ direction: Direction) {
        for key in keys where key.ssrc == ssrc && key.direction == direction && key.stream >= 0 {
            media.streams[key.stream].observeCaptureDuplicate()
        }
    }

    func finish(at frame: FrameInfo) {
        for entry in streams { media.end(entry, at: frame) }
    }

    /// Whether the flow's RTCP is encrypted. A single packet may look unencrypted by chance.
    var hasSecureReports: Bool { isEncrypted || reports.secure > 1 && reports.secure > 4 &* reports.clear }

    /// Whether datagrams of the flow carry media.
    var hasMedia: Bool { streams.contains { $0.channel == nil } }

    /// Records whether an RTCP datagram was taken as encrypted.
    func noteReport(isEncrypted: Bool) {
        if isEncrypted { reports.secure &+= 1 } else { reports.clear &+= 1 }
        // Without any that looked encrypted, what was set up is known to the streams.
        guard isEncrypted || reports.secure > 0, hasSecureReports else { return }
        // A sender that encrypts reports also encrypts media, unless a description says otherwise.
        for entry in streams where !entry.isEnded { entry.isEncrypted = true }
    }

    /// The latest source descriptions of client and server, once they have sent RTCP.
    private var descriptions: (client: RecentDescriptions?, server: RecentDescriptions?)

    /// Returns the latest source descriptions of one side.
    func recentDescriptions(_ direction: Direction) -> RecentDescriptions {
        if let known = direction == .clientToServer ? descriptions.client : descriptions.server { return known }
        let made = RecentDescriptions()
        if direction == .clientToServer { descriptions.client = made } else { descriptions.server = made }
        return made
    }

    /// The latest RTCP datagrams that differ: most are like one before.
    private var latestDatagrams = Lent<[RepeatedDatagram]>([])
    /// Their maximum number: the reports of interleaved media share a flow.
    private static let mostDatagrams = 4

    /// Returns what rules see of a datagram of a report and a source description, if it is like an earlier one.
    func datagram(
        like report: borrowing UsualReport, _ direction: Direction, agreement: SharedValue<StreamAgreement>?,
        isOnMediaPort: Bool
    ) -> RepeatedDatagram? {
        let latest = latestDatagrams.current
        for index in latest.indices where latest[index].direction == direction {
            if latest[index].first.describes(report, agreement, isOnMediaPort: isOnMediaPort) { return latest[index] }
        }
        return nil
    }

    /// Returns what rules see of an RTCP datagram.
    func datagram(
        _ compound: RTCPCompound, _ direction: Direction, agreement: SharedValue<StreamAgreement>?, isOnMediaPort: Bool,
        isCut: Bool, misdirection: RTCPDatagram.Misdirection?
    ) -> RepeatedDatagram {
        var latest = latestDatagrams.take()
        defer { latestDatagrams.put(latest) }
        if misdirection == nil {
            for index in latest.indices where latest[index].direction == direction {
                let known = latest[index].first
                if known.describes(compound, agreement, isOnMediaPort: isOnMediaPort, isCut: isCut) {
                    return latest[index]
                }
            }
        }
        let made = RepeatedDatagram(
            RTCPDatagram(
                compound, agreement: agreement, isOnMediaPort: isOnMediaPort, isCut: isCut, misdirection: misdirection),
            direction)
        guard misdirection == nil, compound.problem == nil else { return made }
        if latest.count == Self.mostDatagrams { latest.removeFirst() }
        latest.append(made)
        return made
    }

    /// RTCP datagrams that did not go to a wrong port, as far as is known.
    private var rightReports = 0
    private static let mostRightReports = 16
    /// Whether so many did not that the following ones need no look: the ports of a flow do not change.
    var hasRightReports: Bool { rightReports >= Self.mostRightReports }

    /// Records an RTCP datagram that did not go to a wrong port.
    func noteRightReport() { rightReports &+= 1 }

    /// Records that the flow carries RTCP.
    func noteRTCP() {
        guard !hasReports else { return }
        hasReports = true
        flow.addProtocol("rtcp")
    }

    /// The streams eligible for the fast path: none while one may replace another, since each packet may decide that.
    var followed: [MediaKey] { ssrcChanges.isEmpty ? keys : [] }
}
