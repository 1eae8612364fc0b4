import WeirEngine
import WeirPackets

/// Dissects signaling carried in whole messages of another protocol: WebSocket messages and HTTP bodies.
struct CarriedSignaling {
    private let carriage: SignalingCarriage
    private let limits: Limits

    /// Creates a dissector of signaling inside `carriage`.
    init(_ carriage: Carriage, profile: SignalingProfile?, limits: Limits) {
        self.limits = limits
        let isBody = carriage.protocolName == "http"
        self.carriage = SignalingCarriage(
            carrier: isBody ? .http : .webSocket, framing: isBody ? .body : .message, profile: profile)
    }

    /// Returns the signaling messages in one message of the carrier.
    ///
    /// - Parameter path: The path of the HTTP request.
    func messages(_ bytes: RawSpan, path: String? = nil) -> [SignalingMessage] {
        let packets = EngineIOPacket.all(bytes, most: limits[SignalingLimits.self].contents)
        if !packets.isEmpty { return packets.flatMap { messages($0, bytes) } }
        guard Self.begins(bytes) else { return words(bytes) }
        var carriage = carriage
        carriage.path = path
        return SignalingMessage.all(JSONText(bytes, limits: limits[JSONLimits.self]), carriage, limits)
    }

    private func messages(_ packet: EngineIOPacket, _ bytes: RawSpan) -> [SignalingMessage] {
        let octets = bytes.clamped(packet.text.lowerBound, packet.text.upperBound)
        let text = octets.byteCount > 0 ? JSONText(octets, limits: limits[JSONLimits.self]) : nil
        let known: SignalingKind? =
            switch packet.purpose {
            case .open: .login
            case .close: .bye
            case .ping, .pong: .heartbeat
            case .error: .error
            case .message: nil
            }
        if let known {
            var envelope = SignalingEnvelope(JSONNode(.null), names: carriage.names)
            envelope.type = packet.name
            envelope.dialect = .socketIO
            return [SignalingMessage(known, carriage, envelope, json: text?.value, flaws: text?.flaws ?? [])]
        }
        guard var text else { return [] }
        var carriage = carriage
        // An array whose first element is the event name.
        if let elements = text.value?.elements, let event = elements.first?.string {
            carriage.event = event
            let rest = Array(elements.dropFirst())
            text.value = rest.count == 1 ? rest.first : JSONNode(.array(rest), text.value?.range ?? 0..<0)
        }
        return SignalingMessage.all(text, carriage, limits)
    }

    /// Returns a message of plain text, such as `ping`.
    private func words(_ bytes: RawSpan) -> [SignalingMessage] {
        guard bytes.byteCount <= 256 else { return [] }
        let words = TextSyntax.trim(TextSyntax.decode(bytes).text)
        guard !words.isEmpty else { return [] }
        let envelope = SignalingEnvelope(JSONNode(.null), names: carriage.names)
        let purpose = SignalingKind(named: words) == .heartbeat ? SignalingKind.heartbeat : .other
        return [SignalingMessage(purpose, carriage, envelope, words: words)]
    }

    /// Whether the octets start with an object or an array.
    static func begins(_ bytes: RawSpan) -> Bool {
        var offset = bytes.byte(at: 0) == 0xEF ? 3 : 0
        while let octet = bytes.byte(at: offset), JSONReader.isBlank(octet) { offset &+= 1 }
        guard let octet = bytes.byte(at: offset) else { return false }
        return SignalingReader.opens(octet) && SignalingReader.begins(bytes, at: offset)
    }

    /// Returns whether a message of the carrier is signaling, may be, or is not.
    static func look(_ bytes: RawSpan, _ flow: FlowContext) -> ProbeAnswer {
        let limits = flow.limits
        let packets = EngineIOPacket.all(bytes, most: limits[SignalingLimits.self].contents)
        if packets.isEmpty {
            guard begins(bytes) else { return .no }
            if flow.isKnownServer { return .yes }
            return SignalingProbe.isSignaling(bytes, limits) ? .yes : .needMore
        }
        let isSignaling = packets.contains { packet in
            SignalingProbe.isSignaling(bytes.clamped(packet.text.lowerBound, packet.text.upperBound), limits)
        }
        return isSignaling ? .yes : .needMore
    }
}
