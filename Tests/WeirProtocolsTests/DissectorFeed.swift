import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Feeds a dissector as the driver does: unconsumed octets are passed again, before the following ones.
struct DissectorFeed<Subject: Dissector> {
    /// An emitted message, in a form independent of segmentation.
    enum Said: Equatable {
        case request(RTSPMessage)
        case other(String)
        case media(Int, [UInt8])
        case payload(String, [UInt8])
        case joined(String, Direction, [UInt8])
        case carried(Direction, [UInt8])
        case remark(String)
    }

    private var subject: Subject
    private var pending: [Direction: [UInt8]] = [:]
    private let outlet = Outlet()
    private(set) var said: [Said] = []
    /// The emitted RTMP messages.
    private(set) var rtmp: [RTMPMessage] = []
    /// The emitted parts of RTMP handshakes.
    private(set) var parts: [RTMPHandshakePart] = []
    private var frame = 0

    init(startsLate: Bool = false, transport: TransportProtocol = .tcp, limits: Limits = Limits()) {
        subject = Subject(flow: .test(startsLate: startsLate, transport: transport, limits: limits))
    }

    var messages: [RTSPMessage] {
        said.compactMap { if case .request(let message) = $0 { message } else { nil } }
    }
    var media: [[UInt8]] {
        said.compactMap { if case .media(_, let octets) = $0 { octets } else { nil } }
    }
    var remarks: [String] {
        said.compactMap { if case .remark(let key) = $0 { key } else { nil } }
    }
    /// Returns the number of unconsumed octets.
    func waiting(_ direction: Direction) -> Int { pending[direction]?.count ?? 0 }

    mutating func feed(_ octets: some Sequence<UInt8>, _ direction: Direction = .serverToClient) throws {
        let buffer = (pending[direction] ?? []) + Array(octets)
        outlet.clear()
        frame += 1
        outlet.place(first: max(1, frame - 1), waiting: pending[direction]?.count ?? 0, last: frame)
        let used = try subject.read(buffer.rawSpan, direction, outlet)
        precondition((0...buffer.count).contains(used), "used \(used) of \(buffer.count)")
        for item in outlet.items { note(item, buffer) }
        pending[direction] = Array(buffer[used...])
    }

    /// Feeds octets whose remainder is not captured.
    mutating func cut(_ octets: [UInt8], _ direction: Direction = .serverToClient) {
        outlet.clear()
        subject.readCut(octets.rawSpan, direction, outlet)
        for item in outlet.items {
            switch item {
            case .message(let message, _):
                if let message = message as? RTMPMessage { rtmp.append(message) }
                said.append(.other(message.summary(.masked)))
            default: note(item, octets)
            }
        }
    }

    /// Reports a gap after the unconsumed octets, as the driver does.
    mutating func miss(_ octets: Int, _ direction: Direction = .serverToClient) {
        if let waiting = pending[direction], !waiting.isEmpty { cut(waiting, direction) }
        gap(octets, direction)
    }

    mutating func gap(_ octets: Int, _ direction: Direction = .serverToClient) {
        pending[direction] = []
        outlet.clear()
        subject.gap(direction, octets: octets, outlet)
        for item in outlet.items { note(item, []) }
    }

    /// Ends the flow.
    mutating func finish() {
        for direction in [Direction.clientToServer, .serverToClient] {
            if let waiting = pending[direction], !waiting.isEmpty { cut(waiting, direction) }
        }
        outlet.clear()
        subject.finish(outlet)
        for item in outlet.items { note(item, []) }
    }

    /// Discards the messages emitted so far.
    mutating func forget() {
        (said, rtmp, parts) = ([], [], [])
    }

    private mutating func note(_ item: Outlet.Item, _ buffer: [UInt8]) {
        switch item {
        case .message(let message, let range):
            // A message that spans several calls starts before this one.
            precondition((range.lowerBound >= 0 || message.firstFrame != nil) && range.upperBound <= buffer.count)
            if let message = message as? RTMPMessage { rtmp.append(message) }
            if let part = message as? RTMPHandshakePart { parts.append(part) }
            if let message = message as? RTSPMessage {
                precondition(range.count == message.headers.octets + message.bodyLength)
                said.append(.request(message))
            } else {
                said.append(.other(message.summary(.masked)))
            }
        case .packet(let packet): said.append(.media(packet.channel ?? -1, Array(buffer[packet.range])))
        case .payload(let name, let range): said.append(.payload(name, Array(buffer[range])))
        case .stream(let key, _, let direction, let bytes, _):
            if case .joined(key, direction, let before)? = said.last {
                said[said.count - 1] = .joined(key, direction, before + bytes)
            } else {
                said.append(.joined(key, direction, bytes))
            }
        case .remark(let remark):
            if let range = remark.range { precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count) }
            said.append(.remark(remark.text.key))
        case .carried(let message): said.append(.carried(message.direction, message.octets))
        case .become(let name, _): said.append(.other("becomes \(name)"))
        case .earlier(let earlier): said.append(.other(earlier.message.summary(.masked)))
        case .leave, .stopped: said.append(.other("leaves"))
        case .tunnel, .join, .streamGap, .carriedGap, .layer, .layerSource, .content, .contentGap, .resume: break
        }
    }
}

extension FlowContext {
    static func test(
        startsLate: Bool = false, transport: TransportProtocol = .tcp, limits: Limits = Limits()
    ) -> FlowContext {
        FlowContext(
            id: 1, transport: transport, client: Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 51_000),
            server: Endpoint(address: IPAddress(ipv4: 0xC000_0202), port: 40_000), startsLate: startsLate,
            limits: limits)
    }
}

/// Returns the lines with CR LF, and the blank line that ends a header.
func lines(_ text: String...) -> [UInt8] {
    Array((text + [""]).map { $0 + "\r\n" }.joined().utf8)
}

/// Returns an interleaved frame (RFC 2326 §10.12).
func frame(_ channel: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [ASCII.dollar, channel, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
}

/// Returns a small RTP packet: version 2, payload type 96, `number` as sequence number.
func rtp(_ number: UInt8, octets: Int = 20) -> [UInt8] {
    [0x80, 0x60, 0, number, 0, 0, 0, 0, 1, 2, 3, 4] + [UInt8](repeating: ASCII.dollar, count: max(0, octets - 12))
}

extension HeaderBlock {
    static func parse(_ text: String) -> Result {
        let octets = Array(text.utf8)
        return parse(octets.rawSpan)
    }
}

extension RTSPMessage {
    /// Returns the message parsed from a header text with CR LF, or nil.
    static func test(_ text: [UInt8]) -> RTSPMessage? {
        guard case .complete(let headers) = HeaderBlock.parse(text.rawSpan) else { return nil }
        return RTSPMessage(headers)
    }
}
