package import WeirEngine
package import WeirPackets

/// The media streams of an analysis: counts packets and emits their events. The hot path.
package final class MediaStreams: FastPath {
    private var table = Lent(SlotMap<MediaStream>(nothing: MediaStream(ssrc: 0)))
    private var storedEntries = Lent<[MediaEntry?]>([])
    private var storedBySSRC = Lent<[UInt32: [MediaEntry]]>([:])
    /// The entry of each open stream.
    var entries: [MediaEntry?] { storedEntries.current }
    /// Open streams by SSRC, for RTCP.
    var bySSRC: [UInt32: [MediaEntry]] { storedBySSRC.current }
    /// Reads the RTCP of all streams.
    let rtcp: RTCPReader
    /// Finds sessions of RIST.
    let rist = RISTRecognition()
    /// Passes on every packet, if that is requested.
    let shown: ShownPackets
    /// Relations between streams.
    var relations: StreamRelations { StreamRelations(media: self) }
    /// Sources that change or share their SSRC.
    var sourceChanges: SourceChanges { SourceChanges(media: self) }
    /// Error correction of transport streams on other ports.
    var matrix = MatrixCorrection()
    /// Pauses and seeks of sessions whose streams are unknown.
    var unsignaledTurns = UnsignaledTurns()
    let outlet: SessionOutlet
    /// The limits, and those of media streams.
    let limits: Limits
    let mediaLimits: RTPLimits
    /// The observer of all packets and their payloads.
    package var tap: (any MediaTap)? {
        get { shown.tap }
        set {
            shown.tap = newValue
            watches = watches || newValue != nil
        }
    }
    /// Whether every packet is examined, for a tap or to be shown.
    private(set) var watches: Bool
    /// Whether there are streams with SRTP keys.
    var decrypts = false

    package init(_ outlet: SessionOutlet) {
        self.outlet = outlet
        limits = outlet.limits
        mediaLimits = limits[RTPLimits.self]
        rtcp = RTCPReader(mostEarly: mediaLimits.earlyReports)
        shown = ShownPackets(emitsEvents: outlet.options.packets)
        watches = outlet.options.packets
    }

    /// Processes a datagram of the stream in the slot.
    package func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken {
        Taken(count(octets, slot, frame) ? octets.byteCount : 0)
    }

    /// The open streams, by slot number.
    var streams: SlotMap<MediaStream> {
        @inline(__always) get { table.current }
        @inline(__always) _modify {
            var taken = table.take()
            defer { table.put(taken) }
            yield &taken
        }
    }

    /// Returns the open stream of a slot.
    func entry(_ stream: Int32) -> MediaEntry? {
        let entries = storedEntries.current
        return entries.indices.contains(Int(stream)) ? entries[Int(stream)] : nil
    }

    /// Changes the open streams by SSRC.
    func updateBySSRC(_ change: (inout [UInt32: [MediaEntry]]) -> Void) {
        var taken = storedBySSRC.take()
        change(&taken)
        storedBySSRC.put(consume taken)
        rtcp.forgetLatest()
    }

    /// Sets the open stream of a slot.
    func setEntry(_ entry: MediaEntry?, of stream: Int32) {
        var taken = storedEntries.take()
        while taken.count <= Int(stream) { taken.append(nil) }
        taken[Int(stream)] = entry
        storedEntries.put(consume taken)
    }

    /// Returns the header of a packet that is RTP and not RTCP.
    @inline(__always)
    static func header(_ bytes: RawSpan) -> RTPHeader? {
        guard let second = bytes.byte(at: 1), !RTCPPacket.isRTCP(secondOctet: second) else { return nil }
        return try? RTPHeader(bytes)
    }

    /// Counts a packet of a known stream; returns false if it is not RTP, or of another one.
    @inline(__always)
    func count(_ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo) -> Bool {
        if isProtected(stream) {
            guard let header = Self.header(bytes), header.ssrc == streams[stream].ssrc else { return false }
            readProtected(header, bytes, stream, frame)
            return true
        }
        var taken = table.take()
        let changes = taken.update(stream) { $0.take(bytes, frame) }
        table.put(consume taken)
        guard let changes else { return false }
        if watches || !changes.isDisjoint(with: .events) { reported(changes, bytes, stream, frame) }
        return true
    }

    /// Counts a packet of a known stream, given its beginning and its length, if it only continues the slice of the previous
    /// one; returns false for all others.
    @inline(__always)
    func continues(_ beginning: RawSpan, length: Int, _ stream: Int32, _ frame: FrameInfo) -> Bool {
        guard !watches, !isProtected(stream) else { return false }
        var taken = table.take()
        let isCounted = taken.update(stream) {
            $0.continues(with: beginning, length: length, at: frame.time, frame: frame.number)
        }
        table.put(consume taken)
        return isCounted
    }

    @inline(never)
    private func reported(_ news: StreamChanges, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo) {
        guard let entry = entries[Int(stream)], let header = Self.header(bytes) else { return }
        let place = entry.place(frame: frame.number, time: frame.time)
        if !news.isDisjoint(with: .events) { emit(news, header, entry, place) }
        if watches { shown.show(header, bytes, entry, place, self) }
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
            if !packets.ssrcChanges.isEmpty { sourceChanges.resolve(packets, place) }
            return
        }
        let range = header.payloadRange
        let news = streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: place.time, frame: place.frame)
        if header.isUnusual { streams[stream].examine(header, bytes, place.time, place.frame) }
        if !news.isDisjoint(with: .events), let entry = entries[Int(stream)] { emit(news, header, entry, place) }
        if !packets.ssrcChanges.isEmpty { sourceChanges.resolve(packets, place) }
        if watches, let entry = entries[Int(stream)] { shown.show(header, bytes, entry, place, self) }
    }
}

extension MediaStream {
    /// Counts a packet, given its octets; returns nil if it is not RTP, or of another stream.
    @inline(__always)
    fileprivate mutating func take(_ bytes: RawSpan, _ frame: FrameInfo) -> StreamChanges? {
        if continues(with: bytes, length: bytes.byteCount, at: frame.time, frame: frame.number) { return [] }
        guard let header = MediaStreams.header(bytes), header.ssrc == ssrc else { return nil }
        let range = header.payloadRange
        let news = observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: frame.time, frame: frame.number)
        if header.isUnusual { examine(header, bytes, frame.time, frame.number) }
        return news
    }
}
