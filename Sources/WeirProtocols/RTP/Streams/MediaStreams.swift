package import WeirEngine
package import WeirPackets

/// The media streams of an analysis: counts packets and emits their events. The hot path.
package final class MediaStreams: FastPath {
    /// The open streams, by slot number.
    var streams = SlotMap<MediaStream>(nothing: MediaStream(ssrc: 0))
    /// The entry of each open stream.
    var entries: [MediaEntry?] = []
    /// Open streams by SSRC, for RTCP.
    var bySSRC: [UInt32: [MediaEntry]] = [:]
    /// Transport streams by their destination, for error correction on other ports.
    var transportStreams: [Endpoint: MediaEntry] = [:]
    /// Sender reports received before the first packet of their source.
    var earlyReports: Recent<UInt32, [(report: SenderReport, place: EventContext)]> = Recent(limit: 64)
    /// Requests for the round-trip time (RIST) that have no response yet.
    var echoes: Recent<EchoKey, Timestamp> = Recent(limit: 64)
    /// Pauses and seeks of sessions whose streams are unknown.
    var unsignaledTurns = UnsignaledTurns()
    let outlet: SessionOutlet
    /// Whether every packet is also reported as an event.
    private let showsPackets: Bool
    /// The observer of all packets and their payloads.
    package var tap: (any MediaTap)? { didSet { watches = watches || tap != nil } }
    /// Whether every packet is examined, for a tap or to be shown.
    var watches = false
    /// Whether there are streams with SRTP keys.
    var decrypts = false

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
        showsPackets = outlet.options.packets
        watches = showsPackets
    }

    /// Processes a datagram of the stream in the slot.
    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        if isProtected(slot) {
            guard let header = Self.header(octets), header.ssrc == streams[slot].ssrc else { return Taken(0) }
            readProtected(header, octets, slot, frame)
            return Taken(octets.byteCount)
        }
        guard let header = Self.header(octets),
            let news = streams.update(slot, { $0.observe(only: header, octets, frame) })
        else { return Taken(0) }
        if header.isUnusual { streams[slot].examine(header, octets, frame.time, frame.number) }
        if watches || !news.isDisjoint(with: .events) { reported(news, header, octets, slot, frame) }
        return Taken(octets.byteCount)
    }

    /// Returns the open stream of a slot.
    func entry(_ stream: Int32) -> MediaEntry? {
        entries.indices.contains(Int(stream)) ? entries[Int(stream)] : nil
    }

    /// Returns the header of a packet that is RTP and not RTCP.
    @inline(__always)
    static func header(_ bytes: RawSpan) -> RTPHeader? {
        guard let second = bytes.byte(at: 1), !RTCPPacket.isRTCP(secondOctet: second) else { return nil }
        return try? RTPHeader(bytes)
    }

    /// Counts a packet of a known stream.
    @inline(__always)
    func observe(_ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo) {
        if isProtected(stream) { return readProtected(header, bytes, stream, frame) }
        let news = streams.update(stream) { $0.observe(header, bytes, frame) }
        if header.isUnusual { streams[stream].examine(header, bytes, frame.time, frame.number) }
        guard watches || !news.isDisjoint(with: .events) else { return }
        reported(news, header, bytes, stream, frame)
    }

    @inline(never)
    func reported(
        _ news: StreamChanges, _ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo
    ) {
        guard let entry = entries[Int(stream)] else { return }
        let place = entry.place(frame: frame.number, time: frame.time)
        if !news.isDisjoint(with: .events) { emit(news, header, entry, place) }
        if watches { show(header, bytes, entry, place) }
    }

    /// Parses an RTP packet of a flow.
    @inline(__always)
    func readRTP(_ header: RTPHeader, _ bytes: RawSpan, channel: Int?, _ packets: MediaFlow, _ place: EventContext) {
        let number = Int32(channel ?? -1)
        guard
            let stream = packets.keys.stream(header.ssrc, number, place.direction)
                ?? begin(header, bytes, channel, packets, place)
        else { return }
        if isProtected(stream) {
            readProtected(header, bytes, stream, place)
            if !packets.ssrcChanges.isEmpty { resolve(packets, place) }
            return
        }
        let range = header.payloadRange
        let news = streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: place.time, frame: place.frame)
        if header.isUnusual { streams[stream].examine(header, bytes, place.time, place.frame) }
        if !news.isDisjoint(with: .events), let entry = entries[Int(stream)] { emit(news, header, entry, place) }
        if !packets.ssrcChanges.isEmpty { resolve(packets, place) }
        if watches, let entry = entries[Int(stream)] { show(header, bytes, entry, place) }
    }

    /// Emits a packet as an event.
    func show(_ header: RTPHeader, _ bytes: RawSpan, _ entry: MediaEntry, _ place: EventContext) {
        let format = streams[entry.stream].formats[header.payloadType]
        let range = header.payloadRange
        if bytes.isEmpty {
            tap?.miss(entry.id)
        } else {
            let payload = bytes.clamped(range.lowerBound, range.upperBound)
            if tap != nil, format?.correction == .redundant, let own = RedundantPayload(payload)?.blocks.last {
                tap?.take(
                    entry.id, header.carrying(own.type, own.data.count),
                    payload.clamped(own.data.lowerBound, own.data.upperBound),
                    streams[entry.stream].formats[own.type] ?? MediaFormat(staticPayloadType: own.type))
            } else {
                tap?.take(entry.id, header, payload, format)
            }
        }
        guard showsPackets else { return }
        var packet = RTPPacket(header, bytes, format: format?.payload ?? .unknown)
        if header.hasExtension { packet.extensionNames = streams[entry.stream].agreement.extensions ?? [:] }
        emit(packet, entry, place)
    }
}

extension MediaStream {
    /// Processes a packet, given its header and octets.
    @inline(__always)
    fileprivate mutating func observe(_ header: RTPHeader, _ bytes: RawSpan, _ frame: FrameInfo) -> StreamChanges {
        let range = header.payloadRange
        return observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: frame.time, frame: frame.number)
    }

    /// Processes a packet if it belongs to this stream; otherwise returns nil.
    @inline(__always)
    fileprivate mutating func observe(only header: RTPHeader, _ bytes: RawSpan, _ frame: FrameInfo) -> StreamChanges? {
        header.ssrc == ssrc ? observe(header, bytes, frame) : nil
    }
}
