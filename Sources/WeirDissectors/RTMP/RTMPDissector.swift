public import WeirPackets

/// Reads RTMP from a TCP connection: the handshake, then the messages that chunks carry, in both directions.
///
/// Every message is said, those of audio and video with the beginning of their payload.
public struct RTMPDissector: Dissector {
    /// Name, carriers, ports and how it is recognised.
    public static let descriptor = DissectorDescriptor(
        name: "rtmp", carriers: [.tcp], ports: [1935, 1936],
        recognition: "the handshake: version 3, and 1536 octets of which 4 are zero or a program's version")

    /// Octets of all messages at hand that one side may make us keep, in multiples of the limit of one message.
    private static let keptMessages = 16
    /// Stream names that are remembered, to be hidden wherever they occur.
    private static let maximumKeys = 8

    private let limits: Limits
    private var client = RTMPSide(isClient: true)
    private var server = RTMPSide(isClient: false)
    private var streamKeys: [String] = []

    /// Begins reading a flow.
    public init(flow: FlowContext) {
        limits = flow.limits
    }

    /// Recognises the handshake of either side, on any port.
    public static func probe(_ opening: borrowing Opening) -> ProbeAnswer {
        RTMPProbe.answer(client: opening.client, server: opening.server)
    }

    /// It does, after a gap; and keeps in step where a gap lies inside one chunk.
    public static var findsStarts: Bool { true }

    /// Finds a chunk that begins a message and is followed by another.
    public func resynchronise(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        RTMPResynchronisation.find(bytes, from: start, direction == .clientToServer ? client : server)
    }

    /// Reads as many parts of the handshake, chunks and parts of chunks as are there.
    public mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        read(bytes, direction, outlet, isCut: false)
    }

    /// Takes what is there of a handshake part or a chunk; what is missing is announced next, or nothing follows.
    public mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        let used = read(bytes, direction, outlet, isCut: true)
        guard used < bytes.byteCount else { return }
        if direction == .clientToServer { client.lose() } else { server.lose() }
    }

    /// Passes over what is missing. Inside one chunk or the handshake the place of the next octet is still known.
    public mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        var side = direction == .clientToServer ? client : server
        defer { if direction == .clientToServer { client = side } else { server = side } }
        var missing = octets
        while missing > 0, side.inHandshake {
            let (packet, passed) = side.part
            let some = min(missing, packet.octets &- passed)
            let kept = side.cutPart ?? []
            side.cutPart = kept
            side.handshakeOctets &+= some
            missing &-= some
            if passed &+ some == packet.octets { showPart(packet, kept, 0..<0, &side, outlet) }
        }
        guard missing > 0 else { return }
        guard side.isSynchronised, missing <= side.chunkRemaining, side.streams.indices.contains(side.current) else {
            side.lose()
            return
        }
        side.chunkRemaining &-= missing
        side.streams[side.current].received &+= missing
        side.streams[side.current].hasHole = true
        if side.chunkRemaining == 0 { endChunk(0..<0, &side, outlet) }
    }

    private mutating func read(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet, isCut: Bool) -> Int {
        var side = direction == .clientToServer ? client : server
        defer { if direction == .clientToServer { client = side } else { server = side } }
        var offset = 0
        while offset < bytes.byteCount {
            let used =
                side.inHandshake
                ? handshake(bytes, offset, &side, outlet, isCut) : chunks(bytes, offset, &side, outlet, isCut)
            if used == 0 { break }
            offset &+= used
        }
        return offset
    }

    // MARK: - Handshake

    private mutating func handshake(
        _ bytes: RawSpan, _ start: Int, _ side: inout RTMPSide, _ outlet: Outlet, _ isCut: Bool
    ) -> Int {
        let (packet, passed) = side.part
        if packet.octets == 1, let version = bytes.byte(at: start), version != 3 {
            outlet.remark(
                Remark(
                    Text("rtmp.remark.version", .integer(Int(version))), reference: "RTMP 5.2.2",
                    range: start..<start &+ 1))
        }
        let there = min(packet.octets &- passed, bytes.byteCount &- start)
        if passed &+ there < packet.octets, !isCut, side.cutPart == nil {
            outlet.need(packet.octets &- passed)
            return 0
        }
        side.handshakeOctets &+= there
        guard passed &+ there == packet.octets else {
            // Octets behind a hole are not joined to those before it.
            if side.cutPart == nil { side.cutPart = bytes.clamped(start, start &+ there).array() }
            return there
        }
        let octets = side.cutPart ?? bytes.clamped(start, start &+ there).array()
        showPart(packet, octets, start..<start &+ there, &side, outlet)
        return there
    }

    private mutating func showPart(
        _ packet: RTMPHandshakePart.Packet, _ octets: [UInt8], _ range: Range<Int>, _ side: inout RTMPSide,
        _ outlet: Outlet
    ) {
        side.cutPart = nil
        var part = RTMPHandshakePart(packet, octets.rawSpan)
        switch packet {
        case .c1, .s1: side.firstPart = octets
        case .c2, .s2:
            part.compare(octets, peer: side.isClient ? server.firstPart : client.firstPart, first: side.firstPart)
        case .c0, .s0: break
        }
        outlet.message(part, range)
        if !side.inHandshake, !(side.isClient ? server : client).inHandshake {
            side.firstPart = nil
            if side.isClient { server.firstPart = nil } else { client.firstPart = nil }
        }
    }

    // MARK: - Chunks

    private mutating func chunks(
        _ bytes: RawSpan, _ start: Int, _ side: inout RTMPSide, _ outlet: Outlet, _ isCut: Bool
    ) -> Int {
        if side.chunkRemaining > 0 { return take(bytes, start, &side, outlet) }
        guard side.isSynchronised else { return synchronise(bytes, start, &side, outlet) }
        let rest = bytes.clamped(start)
        var reader = ByteReader(rest, layer: "RTMP chunk")
        // Too few octets are the only reason for a header to be unreadable.
        guard let header = try? RTMPChunkHeader(&reader) else { return 0 }
        let known = side.index(of: header.chunkStreamID)
        guard Self.isPlausible(header, known.map { side.streams[$0] }, side) else {
            outlet.remark(Remark(Text("rtmp.remark.lost"), reference: "RTMP 5.3.1", range: start..<start &+ 1))
            side.lose()
            side.skipped = 1
            return 1
        }
        var octets = reader.offset
        if header.format == 3, let known, let extended = side.streams[known].extended {
            guard let more = extendedOctets(rest, octets, extended, side.streams[known], &side, outlet) else {
                return 0
            }
            octets &+= more
        }
        let isContinued = known.map { side.streams[$0].isOpen } ?? false
        let length = header.messageLength ?? known.map { side.streams[$0].length } ?? 0
        let type = header.typeID ?? known.map { side.streams[$0].typeID } ?? 0
        // A short message is read in one piece, so that it is known where all of it was.
        if !isContinued, !isCut, type != 8, type != 9, length <= min(side.chunkSize, 65_536),
            rest.byteCount < octets &+ length
        {
            outlet.need(octets &+ length)
            return 0
        }
        begin(header, known, start..<start &+ octets, &side, outlet)
        if side.chunkRemaining == 0 { endChunk(start..<start &+ octets, &side, outlet) }
        if side.chunkRemaining > 0, rest.byteCount > octets {
            return octets &+ take(bytes, start &+ octets, &side, outlet, from: start)
        }
        return octets
    }

    /// Whether the header can be one: everything else means that the place where chunks begin is lost.
    private static func isPlausible(_ header: RTMPChunkHeader, _ stream: RTMPChunkStream?, _ side: RTMPSide) -> Bool {
        if let type = header.typeID, !(1...22).contains(type) { return false }
        if stream == nil {
            if header.format > 1 || side.streams.count >= RTMPSide.maximumChunkStreams { return false }
        }
        return true
    }

    /// How many octets of extended timestamp a type 3 chunk has: 4 or 0; nil for "need more".
    ///
    /// It repeats the latest one (RTMP §5.3.1.3). Senders that leave it out are known by the next four octets not being
    /// equal to it; the first such chunk decides for the whole connection and side.
    private func extendedOctets(
        _ rest: RawSpan, _ offset: Int, _ extended: UInt32, _ stream: RTMPChunkStream, _ side: inout RTMPSide,
        _ outlet: Outlet
    ) -> Int? {
        if side.habit == .omitted { return 0 }
        guard let next = rest.uint32(at: offset) else {
            outlet.need(offset &+ 4)
            return nil
        }
        let isThere = next == extended || next == stream.timestamp
        if side.habit == .unknown {
            side.habit = isThere ? .repeated : .omitted
            if !isThere { outlet.remark(Remark(Text("rtmp.remark.extendedOmitted"), reference: "RTMP 5.3.1.3")) }
        }
        return isThere ? 4 : 0
    }

    private mutating func begin(
        _ header: RTMPChunkHeader, _ known: Int?, _ range: Range<Int>, _ side: inout RTMPSide, _ outlet: Outlet
    ) {
        let index = known ?? side.streams.count
        if known == nil {
            side.streams.append(RTMPChunkStream(id: header.chunkStreamID))
            if header.format == 1 {
                outlet.remark(Remark(Text("rtmp.remark.firstType1"), reference: "RTMP 5.3.1.2.1", range: range))
            }
        }
        let before = side.streams[index].kept.count
        let wasOpen = side.streams[index].isOpen
        side.streams[index].apply(header)
        if wasOpen, side.streams[index].received == 0, before > 0 {
            outlet.remark(Remark(Text("rtmp.remark.unfinished"), reference: "RTMP 5.3.1.2.4", range: range))
        }
        side.keptOctets &+= side.streams[index].kept.count &- before
        side.current = index
        side.chunkRemaining = min(side.chunkSize, side.streams[index].length &- side.streams[index].received)
    }

    /// Takes octets of the chunk at hand; `from` is where the chunk's header began, if it did in these bytes.
    private mutating func take(
        _ bytes: RawSpan, _ start: Int, _ side: inout RTMPSide, _ outlet: Outlet, from: Int? = nil
    ) -> Int {
        let octets = min(side.chunkRemaining, bytes.byteCount &- start)
        let index = side.current
        let room = min(
            side.streams[index].keptLimit(limits.messageOctets, next: bytes.clamped(start))
                &- side.streams[index].kept.count,
            limits.messageOctets &* Self.keptMessages &- side.keptOctets)
        // Octets behind a hole or behind a part that was not kept would stand in the wrong place.
        if room > 0, !side.streams[index].hasHole, side.streams[index].kept.count == side.streams[index].received {
            let some = min(room, octets)
            bytes.clamped(start, start &+ some).append(to: &side.streams[index].kept)
            side.keptOctets &+= some
        }
        let lengthOctets = side.unitLengthOctets[side.streams[index].messageStreamID] ?? 4
        side.streams[index].follow(bytes.clamped(start, start &+ octets), lengthOctets: lengthOctets)
        side.streams[index].received &+= octets
        side.chunkRemaining &-= octets
        if side.chunkRemaining == 0 { endChunk((from ?? start)..<start &+ octets, &side, outlet) }
        return octets
    }

    /// The chunk at hand is complete; perhaps its message is.
    private mutating func endChunk(_ range: Range<Int>, _ side: inout RTMPSide, _ outlet: Outlet) {
        let index = side.current
        guard side.streams[index].isOpen, side.streams[index].received >= side.streams[index].length else { return }
        let stream = side.streams[index]
        side.streams[index].isOpen = false
        var message = RTMPMessage(
            chunkStreamID: stream.id, typeID: stream.typeID, messageStreamID: stream.messageStreamID,
            timestamp: stream.timestamp, length: stream.length, chunks: stream.chunks,
            payload: RTMPPayload(
                typeID: stream.typeID, stream.kept.rawSpan, length: stream.length,
                units: stream.hasHole ? nil : stream.units.finished(length: stream.length), limits: limits))
        message.isCut = stream.hasHole || ((15...20).contains(stream.typeID) && stream.kept.count < stream.length)
        side.keptOctets &-= stream.kept.count
        side.streams[index].kept.removeAll(keepingCapacity: stream.kept.count <= 4_096)
        obey(&message, &side, outlet, range)
        outlet.message(message, range)
    }

    /// What a message changes in the reading of those that follow.
    private mutating func obey(
        _ message: inout RTMPMessage, _ side: inout RTMPSide, _ outlet: Outlet, _ range: Range<Int>
    ) {
        switch message.payload {
        case .setChunkSize(let size):
            if size & 0x7FFF_FFFF > 0 { side.chunkSize = Int(size & 0x7FFF_FFFF) }
            if size == 0 || size > 0x7FFF_FFFF {
                outlet.remark(Remark(Text("rtmp.remark.chunkSize"), reference: "RTMP 5.4.1", range: range))
            }
        case .abort(let id):
            guard let index = side.index(of: Int(id)) else { break }
            side.keptOctets &-= side.streams[index].kept.count
            side.streams[index].abandon()
        case .video(let video?):
            if let octets = video.configuration?.lengthOctets,
                side.unitLengthOctets[message.messageStreamID] != nil
                    || side.unitLengthOctets.count < RTMPSide.maximumChunkStreams
            {
                side.unitLengthOctets[message.messageStreamID] = octets
            }
        case .command(let command), .data(let command):
            if let name = command.streamName { remember(name) }
            message.streamKeys = streamKeys
            for flaw in command.flaws where flaw.isLimit {
                outlet.remark(Remark(Text("rtmp.remark.amfLimit", .string(flaw.description)), range: range))
            }
            if message.isCut { outlet.remark(Remark(Text("rtmp.remark.cut"), range: range)) }
        default: break
        }
    }

    private mutating func remember(_ name: String) {
        for key in [name, String(decoding: name.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)]
        where !streamKeys.contains(key) && streamKeys.count < Self.maximumKeys && !key.isEmpty && key.utf8.count < 512 {
            streamKeys.append(key)
        }
    }

    // MARK: - Out of step

    /// Looks for a chunk; returns how many octets were passed, 0 for "need more".
    private mutating func synchronise(
        _ bytes: RawSpan, _ start: Int, _ side: inout RTMPSide, _ outlet: Outlet
    ) -> Int {
        guard let found = RTMPResynchronisation.find(bytes, from: start, side) else {
            let left = bytes.byteCount &- start
            let passed = left > RTMPResynchronisation.window ? left / 2 : 0
            side.skipped &+= passed
            return passed
        }
        side.skipped &+= found &- start
        side.isSynchronised = true
        outlet.remark(
            Remark(Text("rtmp.remark.resynchronised", .integer(side.skipped)), range: start..<found))
        side.skipped = 0
        return found == start ? chunks(bytes, start, &side, outlet, false) : found &- start
    }
}
