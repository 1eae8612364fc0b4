package import WeirEngine
package import WeirPackets

/// Reads RTSP from a TCP connection, with the media that is interleaved in it, or from datagrams.
package struct RTSPDissector: Dissector {
    /// Name, carriers, ports and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "rtsp", carriers: [.tcp, .udp, .message], ports: [554, 8554, 7070, 322],
        recognition: "request line or status line with RTSP/, or a chain of interleaved frames")

    /// What is known of one direction.
    private struct Side {
        /// Whether the next octet is known to begin a message or frame.
        var isSynchronised: Bool
        /// Searches for that.
        var searches = VainSearches()
        /// Octets passed over since the last message or frame.
        var skipped = 0
        /// Unused octets in which no end of a header was found, so that they need no second look.
        var searched = 0
        /// So many of those passed over were too much to keep, and no fault of the peer's.
        var forgiven = 0
        /// Octets of the frame at hand that have not come yet.
        var awaited = 0
        /// Octets to pass over: the rest of a frame of which a part is missing from the capture.
        var ignored = 0
    }

    private let limitsReference: LimitsReference
    private var limits: Limits { _read { yield limitsReference.values } }
    private let isDatagram: Bool
    private let showsPackets: Bool
    private var client: Side
    private var server: Side
    /// Whether nothing more will come behind what is read.
    private var isLast = false

    /// Begins reading a flow.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        isDatagram = flow.transport == .udp
        showsPackets = flow.showsPackets
        client = Side(isSynchronised: !flow.startsLate)
        server = Side(isSynchronised: !flow.startsLate)
    }

    /// Recognises a message of either side, or a chain of interleaved frames, on any port.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        // A body of HTTP is no conversation: it may be a text about RTSP.
        if opening.flow.carriage?.protocolName == "http" { return .no }
        let flow = opening.flow
        let isKnown = descriptor.ports.contains(flow.server.port) && !descriptor.ports.contains(flow.client.port)
        let isAlone = opening.client.byteCount == 0 || opening.server.byteCount == 0
        let client = probe(
            opening.client, opening.clientStarts, flow,
            RTSPLateStart(side: isKnown ? .client : .unknown, isAlone: isAlone))
        if client == .yes { return .yes }
        let server = probe(
            opening.server, opening.serverStarts, flow,
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
        // Two frames in a row stand by chance in one of a thousand downloads, and texts about RTSP hold messages, with other
        // words between; where nothing else speaks for RTSP, it takes more frames, or a message that a segment begins with.
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

    /// Reads all messages and frames that are complete.
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
            if side.isSynchronised, bytes.byte(at: offset) == ASCII.dollar {
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
                frame(channel, offset &+ 4..<end, outlet)
                side.skipped = 0
                side.forgiven = 0
                offset = end
                continue
            }
            let used =
                side.isSynchronised
                ? message(bytes, offset, &side, outlet) : synchronise(bytes, offset, &side, outlet)
            if used == 0, !side.isSynchronised || bytes.byte(at: offset) != ASCII.dollar { return offset }
            offset &+= used
        }
        return offset
    }

    /// Messages of WebSocket carry it as a stream: a frame may go on in the next one.
    package static var readsAcrossMessages: Bool { true }

    /// Connections tell the story of a session.
    package static var story: Session.Type? { RTSPSession.self }

    /// Interleaved frames of known streams are taken without a look at the rest.
    package static var fastPath: (any FastPath.Type)? { InterleavedPath.self }

    /// Frames leave no trace as long as each begins where the one before ends.
    package func isBetweenMessages(_ direction: Direction) -> Bool {
        let side = direction == .clientToServer ? client : server
        return side.isSynchronised && side.ignored == 0 && side.skipped == 0 && !isDatagram
    }

    /// Finds the next start: of a message with a known method, or of a frame that leads to a further one.
    package func resynchronise(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        let found = RTSPStart.search(bytes, from: start)
        return found.answer == .yes ? found.offset : nil
    }

    /// Forgets the message or frame at hand. When all that is missing belongs to one frame, the next start is known;
    /// else it will be looked for.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        let before = direction == .clientToServer ? client : server
        let awaited = max(before.awaited, before.ignored)
        let isInsideFrame = octets > 0 && octets <= awaited
        let side = Side(isSynchronised: isInsideFrame, ignored: isInsideFrame ? awaited &- octets : 0)
        if direction == .clientToServer { client = side } else { server = side }
    }

    /// It does: interleaved media is found again by the chain of its frames.
    package static var findsStarts: Bool { true }

    /// Reads what is there of a message or frame that the capture does not hold to its end.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var start = 0
        // Where segments are cut, each begins with the message that it was sent for.
        let isStart = RTSPStart.message(bytes, at: 0, strict: false) != .no
        if !isStart, direction == .clientToServer ? !client.isSynchronised : !server.isSynchronised {
            isLast = true
            start = (try? read(bytes, direction, outlet)) ?? bytes.byteCount
            isLast = false
        }
        var side = direction == .clientToServer ? client : server
        if isStart { side.isSynchronised = true }
        let rest = bytes.clamped(start)
        guard side.isSynchronised, side.ignored == 0, rest.byteCount > 0 else { return }
        // More of the frame may have come since it was read last, when it was not worth reading again.
        let length = rest.byte(at: 0) == ASCII.dollar ? rest.uint16(at: 2) : nil
        side.awaited = length.map { max(0, 4 &+ Int($0) &- rest.byteCount) } ?? 0
        if direction == .clientToServer { client = side } else { server = side }
        if rest.byte(at: 0) == ASCII.dollar {
            guard let channel = rest.byte(at: 1), let length, rest.byteCount > 4 else { return }
            let end = start &+ min(rest.byteCount, 4 &+ Int(length))
            frame(channel, start &+ 4..<end, wireLength: Int(length), outlet)
        } else if RTSPStart.message(rest, at: 0, strict: false) != .no,
            let message = RTSPMessage(cut: rest, limits: limits)
        {
            outlet.remark(Remark(Text("rtsp.remark.cut")))
            outlet.message(message, start..<bytes.byteCount)
        }
    }

    /// Hands on the packet in an interleaved frame (RFC 2326 §10.12); the frame begins four octets before it.
    private func frame(_ channel: UInt8, _ range: Range<Int>, wireLength: Int = 0, _ outlet: Outlet) {
        guard showsPackets else {
            outlet.packet("rtp", channel: Int(channel), range, wireLength: wireLength)
            return
        }
        let frame = RTSPInterleavedFrame(channel: Int(channel), length: max(wireLength, range.count))
        outlet.packet(
            "rtp", channel: Int(channel), range, wireLength: wireLength,
            frame: (frame, max(0, range.lowerBound - 4)..<range.upperBound))
    }

    // MARK: - Out of step

    /// Passes over octets that begin nothing. Returns how many; 0 at a start, which it marks, or for "need more".
    private func synchronise(_ bytes: RawSpan, _ start: Int, _ side: inout Side, _ outlet: Outlet) -> Int {
        let found = RTSPStart.search(bytes, from: start, isLast: isLast)
        let passed = found.offset &- start
        side.skipped &+= passed
        guard found.answer == .yes else {
            if passed == 0 { outlet.need(side.searches.note(bytes.byteCount &- found.offset)) }
            return passed
        }
        side.isSynchronised = true
        side.searches = VainSearches()
        let skipped = side.skipped &- side.forgiven
        if skipped > 0 {
            outlet.remark(
                Remark(
                    Text("rtsp.remark.skipped", .integer(skipped)), reference: "RFC 2326 §10.12",
                    range: passed > 0 ? start..<found.offset : nil))
        }
        return passed == 0 ? message(bytes, start, &side, outlet) : passed
    }

    /// Gives up what stands at `start`, so that the next start is looked for behind it.
    private func giveUp(_ octets: Int, _ reason: String, _ start: Int, _ side: inout Side, _ outlet: Outlet) -> Int {
        outlet.remark(
            Remark(
                Text("rtsp.remark.malformed", .string(reason)), reference: "RFC 2326 §4", range: start..<start &+ octets
            ))
        side.isSynchronised = false
        side.skipped &+= octets
        side.searched = 0
        return octets
    }

    /// Uses octets behind which `octets` stand that are too many to keep: the next start is looked for, and nobody is
    /// blamed for what is passed over.
    private func passOver(_ used: Int, _ octets: Int, _ side: inout Side) -> Int {
        side.isSynchronised = false
        side.forgiven = octets
        side.searched = 0
        return used
    }

    /// Octets of a message up to which it is read again with every segment.
    private static let alwaysRead = 4_096

    /// Says how many octets a message waits for, of which `waiting` are here. Its body may end before all that it announces
    /// has come, so that it is read again now and then; but not with every segment, which would take the square of the time.
    private static func wait(_ waiting: Int, whole: Int?, _ outlet: Outlet) {
        guard waiting > alwaysRead else { return }
        outlet.need(min(whole ?? .max, waiting &+ waiting / 16))
    }

    // MARK: - Messages

    /// Reads one message; returns how many octets were used. 0 means "need more", or that this is no message and the
    /// next start must be looked for.
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
            side.isSynchronised = false
            side.skipped &+= lead
            return lead == 0 ? synchronise(bytes, start, &side, outlet) : lead
        case .yes: break
        }
        guard RTSPBody.mayEndHeader(rest, from: max(lead, side.searched)) || rest.byteCount > limits.headerOctets else {
            side.searched = max(0, rest.byteCount &- 2)
            return 0
        }
        switch HeaderBlock.parse(rest, limits: limits) {
        case .needMore: return 0
        case .malformed(HeaderBlock.tooLong):
            outlet.remark(Remark(Text("limit.header")))
            return passOver(lead &+ 1, .max / 2, &side)
        case .malformed(let reason): return giveUp(lead &+ 1, reason, start, &side, outlet)
        case .complete(let headers):
            guard var message = RTSPMessage(headers) else {
                return giveUp(lead &+ 1, "no start line", start, &side, outlet)
            }
            guard RTSPBody.measure(&message, rest, limits: limits) else {
                let whole = message.contentLength.map { headers.octets &+ $0 }
                Self.wait(rest.byteCount, whole: whole, outlet)
                return 0
            }
            message.skippedBefore = max(0, side.skipped &- side.forgiven)
            side.forgiven = 0
            if headers.unkept > 0 {
                outlet.remark(Remark(Text("limit.headerFields")))
                message.isCut = true
            }
            let end = headers.octets &+ message.bodyLength
            if message.bodyDelta == 0, let length = message.contentLength, length > limits.messageOctets {
                outlet.remark(Remark(Text("limit.body")))
                message.isCut = true
                Self.emit(message, bytes, start..<start &+ end, outlet)
                side.skipped = 0
                return passOver(end, length, &side)
            }
            Self.emit(message, bytes, start..<start &+ end, outlet)
            side.skipped = 0
            side.searched = 0
            return end
        }
    }

    /// Hands on the message and the description in its body.
    private static func emit(_ message: RTSPMessage, _ bytes: RawSpan, _ range: Range<Int>, _ outlet: Outlet) {
        let body = range.upperBound &- message.bodyLength..<range.upperBound
        // A body without a type is what it begins like.
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

    /// Reads the message that a datagram holds: here the datagram's end is the body's.
    private func datagram(_ bytes: RawSpan, _ outlet: Outlet) -> Int {
        guard case .complete(let headers) = HeaderBlock.parse(bytes, limits: limits),
            var message = RTSPMessage(headers)
        else { return bytes.byteCount }
        message.bodyLength = bytes.byteCount &- headers.octets
        message.bodyDelta = message.contentLength.map { message.bodyLength &- $0 } ?? 0
        if message.bodyLength > 0, message.contentLength == nil { message.oddities.insert(.bodyWithoutLength) }
        Self.emit(message, bytes, 0..<bytes.byteCount, outlet)
        return bytes.byteCount
    }
}
