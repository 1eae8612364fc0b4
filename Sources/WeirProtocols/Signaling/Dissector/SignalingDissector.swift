package import WeirEngine
package import WeirPackets

/// Dissects signaling: JSON on a TCP connection, with any framing, or in messages of another protocol.
package struct SignalingDissector: Dissector {
    /// Name, transports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "signaling", carriers: [.tcp, .message],
        recognition: "JSON that contains a session description or an ICE candidate; a profile can name its port")

    /// The state of one direction.
    private struct Side {
        var reader: SignalingReader
        /// Whether the next octet is known to start a message.
        var isSynchronized: Bool
        /// Octets skipped since the last message.
        var skipped = 0
    }

    private let limitsReference: LimitsReference
    private let profile: SignalingProfile?
    /// The dissector of whole messages of another protocol, or nil on a TCP connection.
    private let carried: CarriedSignaling?
    private var client: Side
    private var server: Side
    /// The secrets in messages of both sides.
    private var known: KnownSecrets

    /// Creates a dissector of a flow.
    package init(flow: FlowContext) {
        limitsReference = flow.limitsReference
        let limits = flow.limits
        let named = limits[SignalingSettings.self].profile.flatMap { $0.covers(flow) ? $0 : nil }
        profile = named
        carried = flow.carriage.map { CarriedSignaling($0, profile: named, limits: limits) }
        known = KnownSecrets(most: limits[SignalingLimits.self].secrets)
        let reader = SignalingReader(framing: named?.framing, limits: limits)
        client = Side(reader: reader, isSynchronized: !flow.startsLate)
        server = client
    }

    /// Recognizes JSON with a session description or a candidate; JSON alone proves nothing.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard opening.flow.carriage != nil else { return SignalingProbe.look(opening) }
        let bytes = opening.client.byteCount > 0 ? opening.client : opening.server
        return CarriedSignaling.look(bytes, opening.flow)
    }

    /// The limit of octets searched for the first description.
    package static func probeOctets(_ limits: Limits) -> Int { limits[SignalingLimits.self].openingOctets }

    /// True: calls use several connections, one of them to poll for messages.
    package static var recognizesServer: Bool { true }

    /// True: brackets of JSON mark the start of messages.
    package static var findsStarts: Bool { true }

    /// Nil: messages are assigned to the sessions of calls.
    package static var sessionType: Session.Type? { nil }

    /// Dissects all complete messages.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        if let carried {
            for message in carried.messages(bytes, path: outlet.carriage?.path) {
                emit(message, 0..<bytes.byteCount, outlet)
            }
            return bytes.byteCount
        }
        var side = direction == .clientToServer ? client : server
        defer { if direction == .clientToServer { client = side } else { server = side } }
        var offset = 0
        while offset < bytes.byteCount {
            guard synchronize(bytes, &offset, &side) else { return offset }
            switch side.reader.next(bytes, at: offset) {
            case .skip(let octets): offset &+= octets
            case .needMore(let octets):
                if octets > 0 { outlet.need(octets) }
                return offset
            case .lost:
                side.reader.restart()
                side.isSynchronized = false
                side.skipped &+= 1
                offset &+= 1
            case .text(let whole, let text):
                remark(&side, outlet)
                emit(bytes.clamped(text.lowerBound, text.upperBound), whole, side.reader, outlet)
                offset = max(whole.upperBound, offset &+ 1)
            case .words(let whole, let text):
                remark(&side, outlet)
                words(bytes.clamped(text.lowerBound, text.upperBound), whole, side.reader, outlet)
                offset = max(whole.upperBound, offset &+ 1)
            }
        }
        return offset
    }

    /// Skips octets that do not start a message; returns false if more octets are needed.
    private func synchronize(_ bytes: RawSpan, _ offset: inout Int, _ side: inout Side) -> Bool {
        guard !side.isSynchronized else { return true }
        let found = side.reader.search(bytes, from: offset)
        side.skipped &+= found.offset &- offset
        offset = found.offset
        guard found.isFound else { return false }
        side.isSynchronized = true
        side.reader.restart()
        return true
    }

    private func remark(_ side: inout Side, _ outlet: Outlet) {
        if side.skipped > 0 { outlet.remark(Remark(Text("signaling.remark.skipped", .integer(side.skipped)))) }
        side.skipped = 0
    }

    private func carriage(_ framing: SignalingFraming) -> SignalingCarriage {
        SignalingCarriage(carrier: .tcp, framing: framing, profile: profile)
    }

    /// Emits the messages in a JSON text.
    private mutating func emit(
        _ bytes: RawSpan, _ range: Range<Int>, _ reader: SignalingReader, isCut: Bool = false, _ outlet: Outlet
    ) {
        let limits = limitsReference.values
        let text = JSONText(bytes, limits: limits[JSONLimits.self])
        var messages = SignalingMessage.all(text, carriage(reader.framing ?? .concatenated), limits)
        for index in messages.indices {
            messages[index].isCut = isCut
            messages[index].framingFault = index == 0 ? reader.fault : nil
            emit(messages[index], range, outlet)
        }
    }

    private mutating func emit(_ message: SignalingMessage, _ range: Range<Int>, _ outlet: Outlet) {
        if message.isPartial { outlet.remark(Remark(Text("limit.signaling"))) }
        if let json = message.json, !known.recordObserved(json) { outlet.remark(Remark(Text("limit.secrets"))) }
        var message = message
        message.known = known
        outlet.message(message, range)
    }

    /// Emits a message of plain text.
    private func words(_ bytes: RawSpan, _ range: Range<Int>, _ reader: SignalingReader, _ outlet: Outlet) {
        let words = TextSyntax.trim(TextSyntax.decode(bytes).text)
        let carriage = carriage(reader.framing ?? .concatenated)
        let envelope = SignalingEnvelope(JSONNode(.null), names: carriage.names)
        let named = SignalingKind(named: words)
        let purpose = words.isEmpty || named == .heartbeat ? SignalingKind.heartbeat : .other
        var message = SignalingMessage(purpose, carriage, envelope, words: words.isEmpty ? nil : words)
        message.known = known
        outlet.message(message, range)
    }

    /// Returns the position where the next message starts.
    package func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        var reader = (direction == .clientToServer ? client : server).reader
        let found = reader.search(bytes, from: start)
        return found.isFound ? found.offset : nil
    }

    /// Discards the pending message.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        var side = direction == .clientToServer ? client : server
        side.reader.restart()
        side.isSynchronized = false
        if direction == .clientToServer { client = side } else { server = side }
    }

    /// Emits the captured part of a truncated message.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        let side = direction == .clientToServer ? client : server
        var start = 0
        if case .length(let header) = side.reader.framing { start = header.octets }
        while let octet = bytes.byte(at: start), JSONReader.isBlank(octet) { start &+= 1 }
        guard side.isSynchronized, bytes.byte(at: start) == UInt8(ascii: "{") else { return }
        emit(bytes.clamped(start), 0..<bytes.byteCount, side.reader, isCut: true, outlet)
    }
}
