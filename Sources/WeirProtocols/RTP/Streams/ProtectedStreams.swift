import WeirEngine
import WeirPackets

// Streams with known SRTP keys: their packets are verified and decrypted before they are counted.

extension MediaStreams {
    /// Adds keys to try for a stream.
    func addKeys(_ keys: [SRTPKey], hasMore: Bool, hasOthers: Bool, to entry: MediaEntry) {
        decrypts = true
        let limits = mediaLimits
        var tags = entry.authentication ?? SRTPAuthentication(most: limits.keys, rollovers: limits.rollovers)
        let wasFull = tags.isFull
        tags.recordObserved(keys, hasMore: hasMore, hasOthers: hasOthers)
        if tags.isFull, !wasFull { outlet.reach("limit.keys", of: entry.session) }
        entry.authentication = tags
    }

    /// Whether packets of a stream are to be decrypted.
    @inline(__always)
    func isProtected(_ stream: Int32) -> Bool {
        decrypts && entries.indices.contains(Int(stream)) && entries[Int(stream)]?.hasKeys == true
    }

    /// Processes a packet of a stream with keys, on the fast path.
    @inline(never)
    func readProtected(_ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ frame: FrameInfo) {
        guard let entry = entry(stream) else { return }
        readProtected(header, bytes, stream, entry.place(frame: frame.number, time: frame.time))
    }

    /// Processes a packet of a stream with keys. If its tag is wrong, its payload is not dissected.
    @inline(never)
    func readProtected(_ header: RTPHeader, _ bytes: RawSpan, _ stream: Int32, _ place: EventContext) {
        guard let entry = entry(stream) else { return }
        let isComplete = bytes.byteCount >= header.payloadRange.upperBound
        let clear =
            isComplete
            ? entry.authentication?.take(
                bytes, header: header.headerLength, sequence: header.sequenceNumber, frame: place.frame,
                time: place.time) : nil
        if clear != nil, let key = entry.authentication?.key, entry.openedWith == nil {
            decrypt(entry, with: key)
        }
        if let clear, let header = try? RTPHeader(clear.rawSpan) {
            count(header, clear.rawSpan, entry, place)
        } else if entry.openedWith != nil {
            // Its payload, and whether it has padding, is unknown.
            let nothing = [UInt8]()
            count(header, nothing.rawSpan, entry, place)
        } else {
            count(header, bytes, entry, place)
        }
    }

    private func count(_ header: RTPHeader, _ bytes: RawSpan, _ entry: MediaEntry, _ place: EventContext) {
        let range = header.payloadRange
        let stream = entry.stream
        let news = streams[stream].observe(
            header, payload: bytes.clamped(range.lowerBound, range.upperBound), time: place.time, frame: place.frame)
        if header.isUnusual, !bytes.isEmpty { streams[stream].examine(header, bytes, place.time, place.frame) }
        if !news.isDisjoint(with: .events) { emit(news, header, entry, place) }
        if watches { shown.show(header, bytes, entry, place, self) }
    }

    /// Reads the payloads of a stream from now on: a tag was correct.
    private func decrypt(_ entry: MediaEntry, with key: SRTPKey) {
        entry.openedWith = key.source
        entry.hasClearPayload = key.profile.cipher == .none
        if let source = entry.decryptedWith {
            entry.session?.note(decryptedWith: source.name)
            entry.decryption = Decryption("srtp", source: source.name)
        }
        limits[SRTPSettings.self].keys?.noteUse(key.source)
        let formats = entry.medium.flatMap { entry.owner?.formats(of: $0, isDecrypted: true) } ?? []
        streams[entry.stream].decrypt(formats)
        var agreement = streams[entry.stream].agreement.value
        agreement.isEncrypted = false
        streams[entry.stream].agree(on: agreement)
    }

    /// Adds the keys that the user supplied for the source of a stream, or for any.
    func addSuppliedKeys(to entry: MediaEntry) {
        let keys = suppliedKeys(entry.ssrc)
        if !keys.isEmpty { addKeys(keys, hasMore: false, hasOthers: false, to: entry) }
    }

    private func suppliedKeys(_ ssrc: UInt32?) -> [SRTPKey] {
        guard let file = limits[SRTPSettings.self].keys else { return [] }
        return file.keys(of: ssrc)
    }

    /// Returns an encrypted RTCP datagram in the clear, if a key of its flow fits.
    func openReports(
        _ datagram: RawSpan, _ packets: MediaFlow, _ owner: (any MediaOwner)?, medium: Int?
    ) -> (octets: [UInt8], source: SRTPKey.Source)? {
        guard packets.reportKeys.isSearching else { return nil }
        if let known = packets.reportKeys.open(datagram) { return known }
        let keys = suppliedKeys(datagram.uint32(at: 4)) + (owner?.srtpKeys(of: medium) ?? [])
        guard packets.reportKeys.recordObserved(keys, most: mediaLimits.reportKeys) else {
            return nil
        }
        return packets.reportKeys.open(datagram)
    }
}
