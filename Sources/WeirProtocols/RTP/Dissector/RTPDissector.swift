package import WeirEngine
package import WeirPackets

/// Passes RTP datagrams, and RTCP datagrams on the same port, to the media streams of the analysis.
package struct RTPDissector: Dissector {
    /// RTP over UDP, without a registered port.
    package static let descriptor = DissectorDescriptor(
        name: "rtp", carriers: [.udp],
        recognition: "announced by RTSP or SDP, or several packets of one SSRC with increasing sequence numbers")

    /// Never claims a flow by its first datagram: one datagram cannot prove RTP, so `RTPHeuristic` examines several.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        RTPHeuristic.mayBeRTP(opening.client) || RTPHeuristic.mayBeRTP(opening.server) ? .needMore : .no
    }

    /// Creates a dissector for a flow.
    package init(flow: FlowContext) {}

    /// The recognizer, which needs several datagrams.
    package static var recognizer: (any Recognizer.Type)? { RTPRecognizer.self }

    /// Returns the reader of the flow's media packets.
    package static func packetReader(_ flow: FlowState, _ outlet: SessionOutlet) -> (any PacketReader)? {
        MediaFlow.reader(of: flow, outlet)
    }

    /// Passes on a packet carried in a message of another protocol.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        outlet.packet(Self.descriptor.name, channel: nil, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}

/// Passes RTCP datagrams to the media streams of the analysis.
package struct RTCPDissector: Dissector {
    /// RTCP over UDP, without a registered port.
    package static let descriptor = DissectorDescriptor(
        name: "rtcp", carriers: [.udp],
        recognition: "RTCP packets that fill the datagram and start with a report, feedback or similar")

    /// Version 2.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(0x80...0xBF) }

    /// Recognizes RTCP by its first header and by lengths that add up to the datagram.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        if opening.client.byteCount > 0, looksLikeRTCP(opening.client) { return .yes }
        if opening.server.byteCount > 0, looksLikeRTCP(opening.server) { return .yes }
        return .no
    }

    /// Returns whether a datagram is RTCP: version 2, a known packet type, and lengths that add up to the datagram or
    /// lead to an SRTCP trailer (RFC 3550 §A.2, RFC 3711 §3.4).
    package static func looksLikeRTCP(_ bytes: RawSpan) -> Bool {
        guard let word = bytes.uint32(at: 0), word >> 30 == 2, bytes.byteCount >= 8 else { return false }
        let type = UInt8(truncatingIfNeeded: word >> 16)
        guard 200...207 ~= type else { return false }
        guard (Int(word & 0xFFFF) &+ 1) &* 4 <= bytes.byteCount, hasPlausibleHead(word, bytes) else { return false }
        let compound = RTCPCompound(bytes)
        // An empty report has too few fields to match its length by more than chance.
        let isFitting = 200...201 ~= type && word & 0xFFFF >= 6
        return compound.hasSecureTrailer && (isFitting || RTCPCompound.hasEarlyTrailer(bytes))
            || !compound.isEncrypted && compound.problem == nil && !compound.elements.isEmpty
    }

    /// Returns whether the first header is plausible: the count of a report matches its length, and other packet types
    /// have valid contents. Other protocols have the same octets as a type, a counter or a length.
    private static func hasPlausibleHead(_ word: UInt32, _ bytes: RawSpan) -> Bool {
        let count = Int(word >> 24 & 0x1F)
        let words = Int(word & 0xFFFF)
        switch word >> 16 & 0xFF {
        // RFC 3550 §6.4.1, §6.4.2: six words per report block, after the sender information.
        case 200: return words == 6 &+ 6 &* count
        case 201: return words == 1 &+ 6 &* count
        case 202: return count > 0 && words > 1
        case 203: return count > 0 && words >= count
        // RFC 3550 §6.7: a name of four ASCII characters.
        case 204: return words >= 2 && (8..<12).allSatisfy { 0x20...0x7E ~= bytes.byte(at: $0) ?? 0 }
        // RFC 4585 §6.1: sender and media source; type 0 is unassigned.
        case 205, 206: return words >= 2 && 1...15 ~= count
        // RFC 3611 §2, §3: the bits are reserved, and blocks follow, none of type 0.
        default: return count == 0 && words >= 2 && bytes.byte(at: 8) != 0
        }
    }

    /// Creates a dissector for a flow.
    package init(flow: FlowContext) {}

    /// Returns the reader of the flow's media packets.
    package static func packetReader(_ flow: FlowState, _ outlet: SessionOutlet) -> (any PacketReader)? {
        MediaFlow.reader(of: flow, outlet)
    }

    /// Passes on a packet carried in a message of another protocol.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        outlet.packet(Self.descriptor.name, channel: nil, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}
