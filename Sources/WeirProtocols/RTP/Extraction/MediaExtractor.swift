import WeirPackets

/// Writes the media of streams to files during an analysis.
package final class MediaExtractor: MediaTap, PieceTap {
    private final class Track {
        var queue = PacketQueue()
        var depacketizer: (any Depacketizer)?
        var payloadType: UInt8?
        var file: (any MediaFile)?
        /// Octets before the first frame, such as parameter sets: a stream without a frame gets no file.
        var waiting: [UInt8] = []
        var hasOpened = false
        var result: ExtractedStream
        /// Sequence numbers missing before a packet of another format that no packet of this format has followed yet.
        var missedBefore = 0
        /// The current picture: its timestamp, and the octets that the depacketizer may buffer.
        var timestamp: UInt32?
        var gathered = 0
        var isTooLong = false

        init(_ stream: Int) { result = ExtractedStream(stream: stream) }
    }

    /// Opens the file of a stream, given its usual extension. Nil: the stream is not written.
    private let open: (Int, String) -> (any MediaFile)?
    private let isWanted: (Int) -> Bool
    private let limits: Limits
    private var tracks: [Int: Track] = [:]
    private let pieces: PieceExtractor
    /// Octets of pictures that depacketizers may currently buffer.
    private var gathered = 0
    /// The results of the selected streams, in the order in which they ended.
    package private(set) var results: [ExtractedStream] = []

    /// Creates an extractor.
    ///
    /// - Parameters:
    ///   - isWanted: whether a stream, given by number, is written.
    ///   - limits: the limits on buffered pictures.
    ///   - open: opens the file of a stream, given its usual extension.
    package init(
        isWanted: @escaping (Int) -> Bool, limits: Limits = Limits(),
        open: @escaping (Int, String) -> (any MediaFile)?
    ) {
        self.isWanted = isWanted
        self.limits = limits
        self.open = open
        pieces = PieceExtractor(isWanted: isWanted, open: open)
    }

    package func take(_ piece: MediaPiece) {
        pieces.take(piece)
        results += pieces.takeFinished()
    }

    package func end(piecesOf stream: Int, lacksOctets: Bool) {
        pieces.end(stream, lacksOctets: lacksOctets)
        results += pieces.takeFinished()
    }

    /// Completes the files after the last stream has ended.
    package func finish() {
        pieces.finish()
        results += pieces.takeFinished()
    }

    /// Counts a received packet and returns its track, if the stream is selected.
    private func count(_ stream: Int) -> Track? {
        guard isWanted(stream) else { return nil }
        let track = tracks[stream] ?? Track(stream)
        tracks[stream] = track
        track.result.packets += 1
        return track
    }

    package func miss(_ stream: Int) { count(stream)?.result.earlyPackets += 1 }

    package func take(_ stream: Int, _ header: RTPHeader, _ payload: RawSpan, _ format: MediaFormat?) {
        guard let track = count(stream) else { return }
        if track.payloadType == nil, format?.isSupplement != true {
            track.payloadType = header.payloadType
            begin(track, header.payloadType, format)
        }
        let isOther = header.payloadType != track.payloadType
        if isOther { track.result.otherPackets += 1 }
        guard track.depacketizer != nil else { return }
        let packet = ExtractedPacket(
            sequence: header.sequenceNumber, timestamp: header.timestamp, marker: header.marker,
            payload: isOther ? [] : payload.array(), isCut: !isOther && payload.byteCount < header.payloadLength,
            isOther: isOther)
        if packet.isCut { track.result.cutPackets += 1 }
        track.queue.take(packet) { hand($0, to: track) }
    }

    private func begin(_ track: Track, _ type: UInt8, _ format: MediaFormat?) {
        guard let format else {
            track.result.problem = .unknownFormat(type)
            return
        }
        track.result.encoding = format.encoding
        do throws(ExtractionFailure) {
            track.depacketizer = try Depacketizers.make(format)
        } catch {
            track.result.problem = error.problem
        }
    }

    private func hand(_ packet: ExtractedPacket, to track: Track) {
        track.result.missingPackets += packet.missingBefore
        if packet.isOther {
            track.missedBefore += packet.missingBefore
            return
        }
        var packet = packet
        packet.missingBefore += track.missedBefore
        track.missedBefore = 0
        let bounded = bounded(packet, track)
        if let octets = track.depacketizer?.take(bounded), !octets.isEmpty { write(octets, track) }
    }

    /// Writes octets once there is a frame, or too many of them to keep.
    private func write(_ octets: [UInt8], _ track: Track) {
        if track.hasOpened {
            track.file?.write(octets)
            return
        }
        track.waiting += octets
        guard let depacketizer = track.depacketizer,
            depacketizer.framesOut > 0 || track.waiting.count > limits[RTPLimits.self].pictureOctets
        else { return }
        track.hasOpened = true
        track.file = open(track.result.stream, depacketizer.fileExtension)
        track.file?.write(track.waiting)
        track.waiting = []
    }

    /// Returns the packet, without payload if its picture would exceed the buffer limit; that picture is omitted.
    private func bounded(_ packet: ExtractedPacket, _ track: Track) -> ExtractedPacket {
        guard track.depacketizer?.gathersPictures == true else { return packet }
        if packet.timestamp != track.timestamp { begin(track, pictureOf: packet.timestamp) }
        let octets = packet.payload.count &+ Self.addedOctets
        let most = limits[RTPLimits.self]
        let waiting = track.depacketizer?.waitingOctets ?? 0
        let total = min(most.pictureTotalOctets, limits.memoryOctets / 2)
        if !track.isTooLong, track.gathered &+ octets <= most.pictureOctets,
            waiting &+ octets <= most.pictureOctets, gathered &+ waiting &+ octets <= total
        {
            track.gathered &+= octets
            gathered &+= octets
            return packet
        }
        if !track.isTooLong { track.result.tooLongPictures += 1 }
        track.isTooLong = true
        var packet = packet
        packet.payload = []
        packet.isCut = true
        return packet
    }

    /// Maximum octets that a depacketizer adds before those of a packet.
    private static let addedOctets = 8

    private func begin(_ track: Track, pictureOf timestamp: UInt32?) {
        gathered &-= track.gathered
        (track.timestamp, track.gathered, track.isTooLong) = (timestamp, 0, false)
    }

    package func end(_ stream: Int, isEncrypted: Bool, _ format: MediaFormat?) {
        guard isWanted(stream) else { return }
        let track = tracks[stream] ?? Track(stream)
        tracks[stream] = nil
        track.queue.finish { hand($0, to: track) }
        if let octets = track.depacketizer?.finish(), !octets.isEmpty { write(octets, track) }
        begin(track, pictureOf: nil)
        for patch in track.depacketizer?.patches ?? [] { track.file?.patch(patch) }
        track.result.framesIn = track.depacketizer?.framesIn ?? 0
        track.result.framesOut = track.depacketizer?.framesOut ?? 0
        if track.result.problem == nil, track.depacketizer == nil {
            track.result.problem = isEncrypted ? .encrypted : .unknownFormat(track.payloadType ?? 0)
        }
        if isEncrypted { track.result.problem = .encrypted }
        track.file?.close()
        track.file = nil
        results.append(track.result)
    }
}
