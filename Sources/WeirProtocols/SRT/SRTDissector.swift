package import WeirEngine
package import WeirPackets

/// Recognizes SRT by the structure of a handshake, a full acknowledgement or a transport stream in a data packet.
package struct SRTDissector: Dissector {
    /// SRT over UDP, without a registered port.
    package static let descriptor = DissectorDescriptor(
        name: "srt", carriers: [.udp],
        recognition:
            "a handshake with its extensions, a full acknowledgement, or whole transport stream packets in data")

    /// Control packets begin with 0x80, data packets with the highest octet of a sequence number of 31 bits.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(0...0x80) }

    /// Recognizes a datagram of either side.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        isSRT(opening.client) || isSRT(opening.server) ? .yes : .no
    }

    /// Requests of a handshake are the caller's, responses the listener's (§4.3.1); without a handshake, the ports decide.
    package static func isReversed(_ opening: borrowing FirstBytes) -> Bool {
        let isForward = opening.server.isEmpty
        let bytes = isForward ? opening.client : opening.server
        if bytes.uint32(at: 0) == 0x8000_0000 {
            guard let handshake = SRTHandshake(bytes.clamped(SRTPacket.headerLength), isCut: true),
                let isRequest = handshake.isCallers
            else { return false }
            return isRequest != isForward
        }
        let (client, server) = (opening.flow.client.port, opening.flow.server.port)
        return server >= firstEphemeralPort && client < firstEphemeralPort
    }

    /// The lowest port that Linux assigns to clients.
    private static let firstEphemeralPort: UInt16 = 32_768

    /// The longest round-trip time in a plausible acknowledgement, in microseconds.
    private static let longestRoundTrip: UInt32 = 30_000_000

    private static func isSRT(_ bytes: RawSpan) -> Bool {
        guard let first = bytes.uint32(at: 0), bytes.byteCount > SRTPacket.headerLength else { return false }
        let content = bytes.clamped(SRTPacket.headerLength)
        switch first {
        case 0x8000_0000: return SRTHandshake(content, isCut: true).map { isConsistent($0) } ?? false
        case 0x8002_0000:
            // The seven words of a full acknowledgement (§3.2.4).
            guard content.byteCount == 28, let number = bytes.uint32(at: 4), number > 0,
                let next = content.uint32(at: 0), next >> 31 == 0, let roundTrip = content.uint32(at: 4),
                let variation = content.uint32(at: 8), let socket = bytes.uint32(at: 12), socket != 0
            else { return false }
            return 1...longestRoundTrip ~= roundTrip && variation <= longestRoundTrip
        default:
            // One packet forms a message, without encryption.
            guard first >> 31 == 0, let word = bytes.uint32(at: 4), word >> 30 == 3, word >> 27 & 3 == 0,
                let socket = bytes.uint32(at: 12), socket != 0
            else { return false }
            return content.byteCount > TransportStream.packetLength
                && MPEGTSDissector.looksLikeTransportStream(content)
        }
    }

    /// Returns whether the extensions match the type: only a conclusion has any.
    private static func isConsistent(_ handshake: SRTHandshake) -> Bool {
        switch handshake.kind {
        case .conclusion, .agreement, .rejection: true
        default: handshake.extensions.isEmpty && handshake.socket != 0
        }
    }

    /// The type of its sessions.
    package static var sessionType: Session.Type? { SRTSession.self }

    /// Creates a dissector for a flow.
    package init(flow: FlowContext) {}

    /// Parses one datagram.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        do throws(DecodeError) {
            let packet = try SRTPacket(bytes, wireLength: bytes.byteCount &+ outlet.octetsCut)
            outlet.message(packet, 0..<bytes.byteCount)
        } catch {
            throw DissectionError("\(error)", offset: error.offset)
        }
        return bytes.byteCount
    }

    /// Parses a truncated datagram: a data packet counts with its original length.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        guard let packet = try? SRTPacket(bytes, wireLength: bytes.byteCount &+ outlet.octetsCut) else { return }
        switch packet.content {
        case .data, .handshake: outlet.message(packet, 0..<bytes.byteCount)
        default: break
        }
    }
}
