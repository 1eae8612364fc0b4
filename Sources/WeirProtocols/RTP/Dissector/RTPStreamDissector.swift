package import WeirEngine
package import WeirPackets

/// Parses RTP and RTCP from a TCP connection, with a length before each packet (RFC 4571), and passes the packets to
/// the media streams of the analysis.
package struct RTPStreamDissector: Dissector {
    /// RTP over TCP, without a registered port.
    package static let descriptor = DissectorDescriptor(
        name: "rtp", carriers: [.tcp],
        recognition: "packets of one SSRC with increasing sequence numbers, each after its length (RFC 4571)")

    /// The state of one direction.
    private struct Side {
        /// Maximum sources tracked for finding frames.
        static let mostSources = 16

        /// Sources of packets so far, most recent first.
        var sources: [UInt32] = []
        /// Whether framing is lost: the next octet is not known to begin a frame.
        var isLost = false
        /// Whether framing was lost because octets were not captured, which is not a fault of the peer.
        var isForgiven = false
        /// Octets skipped since framing was lost.
        var skipped = 0
        /// The length field of the last packet.
        var lastLength = 0
        /// Octets of the current packet not yet received.
        var awaited = 0
        /// Octets to skip: the rest of a packet of which a part was not captured.
        var ignored = 0

        /// Returns whether an apparent packet of an unknown source, ending at `end`, is confirmed by another packet
        /// after it. It is rejected when a packet of a known source begins inside it. Nil while too few octets were
        /// received.
        func confirm(_ bytes: RawSpan, _ start: Int, _ end: Int, isLast: Bool) -> Bool? {
            let next = RTPFrameWalk.frame(bytes, at: end)
            if next == .none { return false }
            let inner = RTPFrameWalk.search(bytes, from: start &+ 1, known: sources)
            if inner.isFound, inner.place < end { return false }
            if next == .unfinished { return isLast && end <= bytes.byteCount ? true : isLast ? false : nil }
            return true
        }

        mutating func know(_ ssrc: UInt32) {
            if sources.first == ssrc { return }
            sources.removeAll { $0 == ssrc }
            if sources.count >= Self.mostSources { sources.removeLast() }
            sources.insert(ssrc, at: 0)
        }
    }

    /// Octets after which an unknown packet is checked again.
    private static let look = 1_024

    private var client: Side
    private var server: Side

    /// Creates a dissector for a connection. If its start was not captured, the first frame may begin at any offset.
    package init(flow: FlowContext) {
        client = Side(isLost: flow.startsLate, isForgiven: flow.startsLate)
        server = client
    }

    /// Never claims a flow by its first octets: a length and a version prove nothing, so several packets are needed.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let client = opening.client.byteCount == 0 ? nil : Optional(RTPFrameWalk.chain(opening.client, at: 0))
        if case .proven = client { return .yes }
        let server = opening.server.byteCount == 0 ? nil : Optional(RTPFrameWalk.chain(opening.server, at: 0))
        if case .proven = server { return .yes }
        for answer in [client, server] {
            switch answer {
            case .unfinished, .promising: return .needMore
            case .proven, .broken, nil: break
            }
        }
        return .no
    }

    /// Parses all complete frames.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        var side = direction == .clientToServer ? client : server
        defer { if direction == .clientToServer { client = side } else { server = side } }
        return Self.read(bytes, &side, isLast: false, outlet)
    }

    private static func read(_ bytes: RawSpan, _ side: inout Side, isLast: Bool, _ outlet: Outlet) -> Int {
        let count = bytes.byteCount
        var offset = min(side.ignored, count)
        side.ignored &-= offset
        side.awaited = 0
        while offset < count {
            if side.isLost {
                let next = RTPFrameWalk.search(bytes, from: offset, known: side.sources)
                side.skipped &+= next.place &- offset
                offset = next.place
                guard next.isFound else { return offset }
                if !side.isForgiven { emit(side, offset, outlet) }
                side.isLost = false
                side.skipped = 0
            }
            let frame = RTPFrameWalk.frame(bytes, at: offset)
            switch frame {
            case .unfinished:
                outlet.need(14)
                return offset
            case .none:
                (side.isLost, side.isForgiven, side.skipped) = (true, false, 1)
                offset &+= 1
            case .empty: offset &+= RTPFrameWalk.prefix
            case .media(let length, let ssrc, _), .reports(let length, let ssrc):
                let end = offset &+ RTPFrameWalk.prefix &+ length
                let isKnown = side.sources.isEmpty || side.sources.contains(ssrc)
                guard end <= count || !isKnown else {
                    outlet.need(end &- offset)
                    side.awaited = end &- count
                    return offset
                }
                // The next frame confirms or rejects an unknown source.
                if !isKnown {
                    let isNext = side.confirm(bytes, offset, end, isLast: isLast)
                    guard let isNext else {
                        outlet.need(min(end &+ 14, count &+ Self.look) &- offset)
                        return offset
                    }
                    guard isNext else {
                        (side.isLost, side.isForgiven, side.skipped) = (true, false, 1)
                        offset &+= 1
                        continue
                    }
                }
                side.know(ssrc)
                side.lastLength = length
                outlet.packet(descriptor.name, channel: nil, offset &+ RTPFrameWalk.prefix..<end)
                offset = end
            }
        }
        return offset
    }

    private static func emit(_ side: Side, _ offset: Int, _ outlet: Outlet) {
        outlet.message(
            RTPFramingFault(length: side.lastLength, skipped: side.skipped),
            max(0, offset &- min(side.skipped, offset))..<offset)
    }

    /// Discards the current packet. If all missing octets belong to one packet, the next frame start is known;
    /// otherwise it is searched for.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        var side = direction == .clientToServer ? client : server
        let awaited = max(side.awaited, side.ignored)
        if octets > 0, octets <= awaited {
            side.ignored = awaited &- octets
        } else {
            (side.isLost, side.isForgiven, side.skipped, side.ignored) = (true, true, 0, 0)
        }
        side.awaited = 0
        if direction == .clientToServer { client = side } else { server = side }
    }

    /// True: frame starts are found by packet contents, since nothing marks them.
    package static var findsStarts: Bool { true }

    /// Parses the complete packets that were waiting for confirmation by later octets.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var side = direction == .clientToServer ? client : server
        let used = Self.read(bytes, &side, isLast: true, outlet)
        // If only the beginning of a packet was captured, its header still counts.
        if !side.isLost, used < bytes.byteCount,
            case .media(let length, let ssrc, _) = RTPFrameWalk.frame(bytes, at: used),
            side.sources.contains(ssrc)
        {
            outlet.packet(
                Self.descriptor.name, channel: nil, used &+ RTPFrameWalk.prefix..<bytes.byteCount, wireLength: length)
        }
        if direction == .clientToServer { client = side } else { server = side }
    }
}
