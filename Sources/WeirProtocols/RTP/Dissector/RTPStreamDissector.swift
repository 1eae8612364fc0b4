package import WeirEngine
package import WeirPackets

/// Reads RTP and RTCP from a TCP connection, where a length stands before each packet (RFC 4571), and hands the packets to
/// the media streams of the analysis.
package struct RTPStreamDissector: Dissector {
    /// RTP over TCP; it has no port of its own.
    package static let descriptor = DissectorDescriptor(
        name: "rtp", carriers: [.tcp],
        recognition: "packets of one SSRC whose sequence numbers advance, each behind its length (RFC 4571)")

    /// What is known of one direction.
    private struct Side {
        /// Most sources that are remembered to find frames by.
        static let mostSources = 16

        /// Sources of packets so far, the last one first.
        var sources: [UInt32] = []
        /// Whether the next octet does not begin a frame, as far as is known.
        var isLost = false
        /// Whether that is for want of octets in the capture: then it is no fault of the peer's.
        var isForgiven = false
        /// Octets passed over since.
        var skipped = 0
        /// The length before the last packet.
        var lastLength = 0
        /// Octets of the packet at hand that have not come yet.
        var awaited = 0
        /// Octets to pass over: the rest of a packet of which a part is missing from the capture.
        var ignored = 0

        /// Whether what looks like a packet of a source that nobody knows, up to `end`, is one: another follows it. It is not
        /// when a packet of a known source begins within it. Nil while too little has come.
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

    /// Octets after which an unknown packet is looked at again.
    private static let look = 1_024

    private var client: Side
    private var server: Side

    /// Begins a connection. One whose beginning was missed begins anywhere.
    package init(flow: FlowContext) {
        client = Side(isLost: flow.startsLate, isForgiven: flow.startsLate)
        server = client
    }

    /// It takes several packets: a length and a version prove nothing.
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

    /// Reads all frames that are complete.
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
                if !side.isForgiven { tell(side, offset, outlet) }
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
                // What follows shows whether a source that nobody knows is one.
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

    private static func tell(_ side: Side, _ offset: Int, _ outlet: Outlet) {
        outlet.message(
            RTPFramingFault(length: side.lastLength, skipped: side.skipped),
            max(0, offset &- min(side.skipped, offset))..<offset)
    }

    /// Forgets the packet at hand. When all that is missing belongs to one packet, the next start is known; else it will be
    /// looked for.
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

    /// It does: nothing marks a frame but what is in it.
    package static var findsStarts: Bool { true }

    /// Reads the whole packets that waited for what follows them.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        var side = direction == .clientToServer ? client : server
        let used = Self.read(bytes, &side, isLast: true, outlet)
        // Of a packet of which the capture holds but the beginning, its header counts.
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
