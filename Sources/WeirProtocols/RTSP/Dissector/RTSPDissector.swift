package import WeirEngine
package import WeirPackets

/// Dissects RTSP over TCP, including interleaved media, and RTSP in datagrams.
package struct RTSPDissector: Dissector {
    /// The name, carriers, ports and recognition of the dissector.
    package static let descriptor = DissectorDescriptor(
        name: "rtsp", carriers: [.tcp, .udp, .message], ports: [554, 8554, 7070, 322],
        recognition: "request line or status line with RTSP/, or a chain of interleaved frames")

    /// The state of one direction.
    private struct Side {
        /// Whether the next byte is known to start a message or frame.
        var isSynchronized: Bool
        /// Cost of fruitless searches for the next start.
        var searches = FailedSearches()
        /// Bytes skipped since the last message or frame.
        var skipped = 0
        /// Unconsumed bytes already searched for the end of a header.
        var searched = 0
        /// Skipped bytes that exceeded the buffer limit: not an error of the peer.
        var forgiven = 0
        /// Bytes of the current frame still to arrive.
        var awaited = 0
        /// Bytes to skip: the rest of a frame that is partly missing from the capture.
        var ignored = 0
        /// The channels that carry a transport stream instead of RTP, with the octets of a packet that their last
        /// frame began and the next one continues.
        var transportStreams: [UInt8: Int] = [:]
        /// Whether an empty frame was reported.
        var hadEmptyFrame = false
        /// Whether its first octets are due: a server may answer in another protocol.
        var mayBeOther = false
    }

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private let known: RTSPHeaderValues
    private let isDatagram: Bool
    private let showsPackets: Bool
    private var client: Side
    private var server: Side
    /// Whether no further data follows.
    private var isLast = false

    /// Creates a dissector for one flow.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        known = flow.sharedValues.value(RTSPHeaderValues.self) { RTSPHeaderValues() }
        isDatagram = flow.transport == .udp
        showsPackets = flow.showsPackets
        client = Side(isSynchronized: !flow.startsLate)
        server = Side(isSynchronized: !flow.startsLate, mayBeOther: !flow.startsLate)
    }

    /// Letters, the mark of an interleaved frame, and line ends, which may precede a message.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets {
        FirstOctets(ascii: "$\r\n").union(FirstOctets(0x41...0x5A)).union(FirstOctets(0x61...0x7A))
    }

    /// Recognizes a message of either side, or a chain of interleaved frames, on any port.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        // HTTP bodies are documents, possibly about RTSP, not conversations.
        if opening.flow.carriage?.protocolName == "http" { return .no }
        let (one, another) = (opening.flow.server.port, opening.flow.client.port)
        let isKnown = descriptor.ports.contains(one) && !descriptor.ports.contains(another)
        let isAlone = opening.client.byteCount == 0 || opening.server.byteCount == 0
        let client = probe(
            opening.client, opening.clientStarts, opening.flow,
            RTSPLateStart(side: isKnown ? .client : .unknown, isAlone: isAlone))
        if client == .yes { return .yes }
        let server = probe(
            opening.server, opening.serverStarts, opening.flow,
            RTSPLateStart(side: isKnown ? .server : .unknown, isAlone: isAlone))
        if server == .yes { return .yes }
        if client == .no, server == .no || opening.server.byteCount == 0 { return .no }
        return server == .no && opening.client.byteCount == 0 ? .no : .needMore
    }

    private static func probe(
        _ bytes: RawSpan, _ starts: [Int], _ flow: FlowContext, _ late: RTSPLateStart
    ) -> RTSPStart.Answer {
        var start = 0
        while let octet = bytes.byte(at: start), octet == ASCII.carriageReturn || octet == ASCII.lineFeed {
            start &+= 1
        }
        guard let first = bytes.byte(at: start) else { return bytes.byteCount > 8 ? .no : .needMore }
        let answer =
            first == ASCII.dollar
            ? RTSPStart.frame(bytes, at: start) : RTSPStart.message(bytes, at: start, strict: flow.startsLate)
        guard flow.startsLate, flow.transport == .tcp else { return answer }
        if answer == .needMore { return answer }
        if answer == .yes, first == ASCII.dollar || late.believes(bytes, at: start, isStart: true) { return .yes }
        var found = RTSPStart.search(bytes, from: start)
        let isUsual = descriptor.ports.contains(flow.server.port) || descriptor.ports.contains(flow.client.port)
        // One in a thousand downloads contains two frames in a row by chance, and documents about RTSP contain messages
        // separated by text. Without further evidence, more frames or a message at the start of a segment are required.
        while found.answer == .yes,
            bytes.byte(at: found.offset) == ASCII.dollar
                ? RTSPStart.chain(bytes, at: found.offset, frames: isUsual ? 3 : 4) != .yes
                : !isUsual && !starts.contains(found.offset)
                    || !late.believes(bytes, at: found.offset, isStart: starts.contains(found.offset))
        {
            found = RTSPStart.search(bytes, from: found.offset &+ 1)
        }
        return found.answer == .yes ? .yes : bytes.byteCount < flow.limits.probeOctets ? .needMore : .no
    }

    /// Reads all complete messages and frames.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        if isDatagram { return datagram(bytes, outlet) }
        var side = direction == .clientToServer ? client : server
        defer { if direction == .clientToServer { client = side } else { server = side } }
        let count = bytes.byteCount
        var offset = min(side.ignored, count)
        side.ignored &-= offset
        side.awaited = 0
        while offset < count {
            if side.isSynchronized, bytes.byte(at: offset) == ASCII.dollar {
                guard let length = bytes.uint16(at: offset &+ 2), let channel = bytes.byte(at: offset &+ 1) else {
                    outlet.need(4)
                    return offset
                }
                let end = offset &+ 4 &+ Int(length)
                guard end <= count else {
                    outlet.need(end &- offset)
                    side.awaited = end &- count
                    return offset
                }
                if length == 0, !side.hadEmptyFrame {
                    side.hadEmptyFrame = true
                    outlet.remark(
                        Remark(Text("rtsp.remark.emptyFrame", .integer(Int(channel))), range: offset..<end))
                }
                frame(channel, offset &+ 4..<end, bytes, &side, outlet)
                side.skipped = 0
                side.forgiven = 0
                offset = end
                continue
            }
            let used =
                side.isSynchronized
                ? message(bytes, offset, &side, outlet) : synchronize(bytes, offset, &side, outlet)
            if used == 0, !side.isSynchronized || bytes.byte(at: offset) != ASCII.dollar { return offset }
            offset &+= used
        }
        return offset
    }

    /// True: over WebSocket, a frame may continue in the next message.
    package static var readsAcrossMessages: Bool { true }

    /// The session type of RTSP connections.
    package static var sessionType: Session.Type? { RTSPSession.self }

    /// The fast path for interleaved frames of known streams.
    package static var fastPath: (any FastPath.Type)? { InterleavedPath.self }

    /// Whether no message is pending; frames keep no state while each starts where the previous one ends.
    package func isBetweenMessages(_ direction: Direction) -> Bool {
        let side = direction == .clientToServer ? client : server
        return side.isSynchronized && side.ignored == 0 && side.skipped == 0 && !isDatagram
    }

    /// Returns the next start: a message with a known method, or a frame followed by another.
    package func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        let found = RTSPStart.search(bytes, from: start)
        return found.answer == .yes ? found.offset : nil
    }

    /// Discards the current message or frame. If the gap lies within one frame, the next start is known; otherwise it
    /// is searched for.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        let before = direction == .clientToServer ? client : server
        let awaited = max(before.awaited, before.ignored)
        let isInsideFrame = octets > 0 && octets <= awaited
        let side = Side(
            isSynchronized: isInsideFrame, ignored: isInsideFrame ? awaited &- octets : 0,
            transportStreams: before.transportStreams.mapValues { _ in 0 }, hadEmptyFrame: before.hadEmptyFrame)
        // An empty packet: the counters of a transport stream cannot be followed across the gap.
        for channel in side.transportStreams.keys.sorted() { outlet.packet("mpegts", channel: Int(channel), 0..<0) }
        if direction == .clientToServer { client = side } else { server = side }
    }

    /// True: interleaved media is resynchronized by its chain of frames.
    package static var findsStarts: Bool { true }

    /// Reads the captured part of a truncated message or frame.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var start = 0
        // With truncated segments, each segment starts with the message it was sent for.
        let isStart = RTSPStart.message(bytes, at: 0, strict: false) != .no
        if !isStart, direction == .clientToServer ? !client.isSynchronized : !server.isSynchronized {
            isLast = true
            start = (try? read(bytes, direction, outlet)) ?? bytes.byteCount
            isLast = false
        }
        var side = direction == .clientToServer ? client : server
        if isStart { side.isSynchronized = true }
        let rest = bytes.clamped(start)
        guard side.isSynchronized, side.ignored == 0, rest.byteCount > 0 else { return }
        // More of the frame may have arrived since the last read, which was skipped as not worthwhile.
        let length = rest.byte(at: 0) == ASCII.dollar ? rest.uint16(at: 2) : nil
        side.awaited = length.map { max(0, 4 &+ Int($0) &- rest.byteCount) } ?? 0
        if direction == .clientToServer { client = side } else { server = side }
        if rest.byte(at: 0) == ASCII.dollar {
            guard let channel = rest.byte(at: 1), let length, rest.byteCount > 4 else { return }
            let end = start &+ min(rest.byteCount, 4 &+ Int(length))
            frame(channel, start &+ 4..<end, wireLength: Int(length), bytes, &side, outlet)
            if direction == .clientToServer { client = side } else { server = side }
        } else if RTSPStart.message(rest, at: 0, strict: false) != .no,
            let message = RTSPMessage(cut: rest, limits: limits)
        {
            outlet.remark(Remark(Text("rtsp.remark.cut")))
            outlet.message(message, start..<bytes.byteCount)
        }
    }

    /// Emits the packet of an interleaved frame (RFC 2326 §10.12); the frame starts four bytes earlier.
    private func frame(
        _ channel: UInt8, _ range: Range<Int>, wireLength: Int = 0, _ bytes: RawSpan, _ side: inout Side,
        _ outlet: Outlet
    ) {
        let name = carried(
            bytes.clamped(range.lowerBound, range.upperBound), max(wireLength, range.count), channel, &side)
        guard showsPackets else {
            outlet.packet(name, channel: Int(channel), range, wireLength: wireLength)
            return
        }
        let frame = RTSPInterleavedFrame(channel: Int(channel), length: max(wireLength, range.count))
        outlet.packet(
            name, channel: Int(channel), range, wireLength: wireLength,
            frame: (frame, max(0, range.lowerBound - 4)..<range.upperBound))
    }

    /// Returns the dissector of a frame's payload: RTP and RTCP start with version 2, transport stream packets with
    /// 0x47, and the rest of a packet that the previous frame began with anything.
    private func carried(_ payload: RawSpan, _ length: Int, _ channel: UInt8, _ side: inout Side) -> String {
        guard let first = payload.byte(at: 0) else { return "rtp" }
        let packet = TransportStream.packetLength
        var begun = 0
        if let known = side.transportStreams[channel] {
            guard known > 0 || first >> 6 != 2 else { return "rtp" }
            begun = first == TransportStream.syncByte && length % packet == 0 ? 0 : known
        } else if !RTSPStart.holdsTransportStream(payload, length: length - length % packet) {
            return "rtp"
        }
        side.transportStreams[channel] = (begun + length) % packet
        return "mpegts"
    }

    // MARK: - Resynchronization

    /// Skips bytes that start nothing. Returns their number; 0 at a start, which it records, or if more bytes are
    /// needed.
    private func synchronize(_ bytes: RawSpan, _ start: Int, _ side: inout Side, _ outlet: Outlet) -> Int {
        let found = RTSPStart.search(bytes, from: start, isLast: isLast)
        let passed = found.offset &- start
        side.skipped &+= passed
        guard found.answer == .yes else {
            if passed == 0 { outlet.need(side.searches.note(bytes.byteCount &- found.offset)) }
            return passed
        }
        side.isSynchronized = true
        side.searches = FailedSearches()
        let skipped = side.skipped &- side.forgiven
        if skipped > 0 {
            outlet.remark(
                Remark(
                    Text("rtsp.remark.skipped", .integer(skipped)), reference: "RFC 2326 §10.12",
                    range: passed > 0 ? start..<found.offset : nil))
        }
        return passed == 0 ? message(bytes, start, &side, outlet) : passed
    }

    /// Abandons the data at `start`, so that the next start is searched for after it.
    private func giveUp(_ octets: Int, _ reason: String, _ start: Int, _ side: inout Side, _ outlet: Outlet) -> Int {
        outlet.remark(
            Remark(
                Text("rtsp.remark.malformed", .string(reason)), reference: "RFC 2326 §4", range: start..<start &+ octets
            ))
        side.isSynchronized = false
        side.skipped &+= octets
        side.searched = 0
        return octets
    }

    /// Consumes bytes followed by `octets` bytes that exceed the buffer limit. The next start is searched for, and the
    /// skipped bytes are not reported as an error.
    private func skipOver(_ used: Int, _ octets: Int, _ side: inout Side) -> Int {
        side.isSynchronized = false
        side.forgiven = octets
        side.searched = 0
        return used
    }

    /// Message size, in bytes, up to which every segment triggers another read.
    private static let alwaysRead = 4_096

    /// Requests the rest of a message, of which `waiting` bytes are buffered. The body may end before its announced
    /// length, so the message is reread periodically; not on every segment, which would take quadratic time.
    private static func wait(_ waiting: Int, whole: Int?, _ outlet: Outlet) {
        guard waiting > alwaysRead else { return }
        outlet.need(min(whole ?? .max, waiting &+ waiting / 16))
    }

    // MARK: - Messages

    /// Reads one message and returns the number of bytes consumed; 0 if more bytes are needed, or if this is not a
    /// message and the next start must be searched for.
    private func message(_ bytes: RawSpan, _ start: Int, _ side: inout Side, _ outlet: Outlet) -> Int {
        let rest = bytes.clamped(start)
        if rest.byte(at: 0) == ASCII.dollar { return 0 }
        var lead = 0
        while let octet = rest.byte(at: lead), octet == ASCII.carriageReturn || octet == ASCII.lineFeed { lead &+= 1 }
        if lead > 0, rest.byte(at: lead) == ASCII.dollar || lead > 64 {
            outlet.remark(Remark(Text("rtsp.remark.lineEndsBefore", .integer(lead)), range: start..<start &+ lead))
            return lead
        }
        switch RTSPStart.message(rest, at: lead, strict: false) {
        case .needMore: return 0
        case .no:
            side.isSynchronized = false
            if side.mayBeOther, let other = OtherProtocol(rest) {
                side.mayBeOther = false
                outlet.message(RTSPOtherProtocol(found: other), start..<bytes.byteCount)
                return rest.byteCount
            }
            side.skipped &+= lead
            return lead == 0 ? synchronize(bytes, start, &side, outlet) : lead
        case .yes: side.mayBeOther = false
        }
        guard RTSPBody.mayEndHeader(rest, from: max(lead, side.searched)) || rest.byteCount > limits.headerOctets else {
            side.searched = max(0, rest.byteCount &- 2)
            return 0
        }
        switch HeaderBlock.parse(rest, limits: limits) {
        case .needMore: return 0
        case .malformed(HeaderBlock.tooLong):
            outlet.remark(Remark(Text("limit.header")))
            return skipOver(lead &+ 1, .max / 2, &side)
        case .malformed(let reason): return giveUp(lead &+ 1, reason, start, &side, outlet)
        case .complete(let headers):
            let (octets, unkept) = (headers.octets, headers.unkept)
            guard var message = RTSPMessage(headers, known: known) else {
                return giveUp(lead &+ 1, "no start line", start, &side, outlet)
            }
            guard RTSPBody.measure(&message, rest, limits: limits) else {
                let whole = message.contentLength.map { octets &+ $0 }
                Self.wait(rest.byteCount, whole: whole, outlet)
                return 0
            }
            message.skippedBefore = max(0, side.skipped &- side.forgiven)
            side.forgiven = 0
            if unkept > 0 {
                outlet.remark(Remark(Text("limit.headerFields")))
                message.isCut = true
            }
            let end = octets &+ message.bodyLength
            if message.bodyDelta == 0, let length = message.contentLength, length > limits.messageOctets {
                outlet.remark(Remark(Text("limit.body")))
                message.isCut = true
                Self.emit(message, bytes, start..<start &+ end, outlet)
                side.skipped = 0
                return skipOver(end, length, &side)
            }
            Self.emit(message, bytes, start..<start &+ end, outlet)
            side.skipped = 0
            side.searched = 0
            return end
        }
    }

    /// Emits the message and the description in its body.
    private static func emit(_ message: RTSPMessage, _ bytes: RawSpan, _ range: Range<Int>, _ outlet: Outlet) {
        let body = range.upperBound &- message.bodyLength..<range.upperBound
        // Without a type, the first bytes of the body decide.
        let isDescription =
            message.contentType == nil
            ? bytes.byte(at: body.lowerBound) == UInt8(ascii: "v") : message.describesSession
        if message.bodyDelta != 0 {
            let key = message.bodyDelta > 0 ? "rtsp.remark.bodyLonger" : "rtsp.remark.bodyShorter"
            outlet.remark(
                Remark(Text(key, .integer(abs(message.bodyDelta))), reference: "RFC 2326 §4.4", range: body))
        }
        outlet.message(message, range)
        if isDescription, !body.isEmpty { outlet.payload("sdp", body) }
    }

    /// Reads the message of a datagram, which also delimits the body.
    private func datagram(_ bytes: RawSpan, _ outlet: Outlet) -> Int {
        guard case .complete(let headers) = HeaderBlock.parse(bytes, limits: limits),
            var message = RTSPMessage(headers, known: known)
        else { return bytes.byteCount }
        message.bodyLength = bytes.byteCount &- headers.octets
        message.bodyDelta = message.contentLength.map { message.bodyLength &- $0 } ?? 0
        if message.bodyLength > 0, message.contentLength == nil { message.oddities.insert(.bodyWithoutLength) }
        Self.emit(message, bytes, 0..<bytes.byteCount, outlet)
        return bytes.byteCount
    }
}
