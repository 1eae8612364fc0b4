package import WeirEngine
package import WeirPackets

/// Reads RTMP from a TCP connection: the handshake, then the messages that chunks carry, in both directions.
///
/// Every message goes to the outlet, those of audio and video too: which of them the timeline shows is for others to say.
package struct RTMPDissector: Dissector {
    /// Name, carriers, ports and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "rtmp", carriers: [.tcp], ports: [1935, 1936],
        recognition:
            "the handshake: version 3, and 1536 octets of which 4 are zero or a program's version, or that hold a "
            + "valid digest; without it several chunks in a row")

    private let startsLate: Bool
    private let limits: LimitsReference
    private var handshake: RTMPHandshake
    /// What both sides say behind the handshake.
    package let sides: RTMPSides
    /// Sides of which it is known whether their first octets belong to the handshake.
    private var isClientDecided: Bool
    private var isServerDecided: Bool
    private var isEncryptionShown = false

    /// Begins reading a flow.
    package init(flow: FlowContext) {
        startsLate = flow.startsLate
        limits = flow.limitsReference
        isClientDecided = !flow.startsLate
        isServerDecided = !flow.startsLate
        handshake = RTMPHandshake(isOneSided: flow.isOneSided)
        sides = RTMPSides(flow)
    }

    /// Recognises the handshake of either side, on any port, and chunks when the capture begins late.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isUsual = opening.usesPort(descriptor.ports)
        let answer = RTMPProbe.answer(client: opening.client, server: opening.server, isUsualPort: isUsual)
        guard opening.flow.startsLate, case .no = answer else { return answer }
        return RTMPProbe.midstream(opening, isUsualPort: isUsual)
    }

    /// It does, after a gap and at a late start; and keeps in step where a gap lies inside one message.
    package static var findsStarts: Bool { true }

    /// Connections tell the story of a session.
    package static var story: Session.Type? { RTMPSession.self }

    /// Octets in the middle of messages are passed over.
    package static var fastPath: (any FastPath.Type)? { RTMPChunkPath.self }

    /// A handshake that was broken off shows how far it came.
    package static func tellsUnfinished(_ opening: borrowing FirstBytes) -> Bool {
        RTMPProbe.mayBeginHandshake(client: opening.client, server: opening.server)
    }

    /// Reads as many parts of the handshake, chunks and parts of chunks as are there.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let isClient = direction == .clientToServer
        if startsLate, bytes.byteCount > 0 {
            // The capture begins inside a body of HTTP.
            switch RTMPTDissector.begins(bytes, isClients: isClient, limits.values) {
            case .yes:
                outlet.become(RTMPTDissector.descriptor.name, agreement: [])
                return 0
            case .needMore: return 0
            case .no, .hidden: break
            }
        }
        return read(bytes, isClient: isClient, isCut: false, outlet)
    }

    /// Takes what is there of a header or of an opening; what is missing is announced next, or nothing follows.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        let isClient = direction == .clientToServer
        guard read(bytes, isClient: isClient, isCut: true, outlet) < bytes.byteCount else { return }
        sides.readers.giveUp(isClient: isClient, outlet)
    }

    /// Passes over what is missing. Inside one message or the handshake the place of the next octet is still known.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        let isClient = direction == .clientToServer
        if !(isClient ? isClientDecided : isServerDecided) { beginLate(isClient) }
        var missing = octets
        if handshake.isOpen(isClient: isClient) { missing &-= handshake.gap(octets, isClient: isClient, outlet) }
        guard missing > 0 else { return }
        sides.readers.gap(missing, isClient: isClient, outlet)
    }

    /// Shows what was begun of the handshake, and what is known of messages that never came to their end.
    package mutating func finish(_ outlet: Outlet) {
        handshake.finish(outlet)
        sides.readers.giveUp(isClient: true, outlet, isEnd: true)
        sides.readers.giveUp(isClient: false, outlet, isEnd: true)
    }

    private mutating func read(_ bytes: RawSpan, isClient: Bool, isCut: Bool, _ outlet: Outlet) -> Int {
        defer {
            // What was not seen of the server's handshake may still come.
            let isDecided = handshake.isServerVersionKnown || hasSpoken(false)
            sides.readers.isPlain = isDecided && handshake.encryption == nil
        }
        var offset = 0
        if !hasSpoken(isClient) {
            guard decide(bytes, isClient, isCut, outlet) else { return 0 }
            repeat {
                handshake.reopen(bytes, at: offset, isClient: isClient)
                guard handshake.isOpen(isClient: isClient) else { break }
                offset &+= handshake.read(bytes, from: offset, isClient: isClient, outlet)
            } while offset < bytes.byteCount
        }
        guard offset < bytes.byteCount else { return offset }
        if !hasSpoken(isClient) { speak(isClient) }
        if let version = handshake.encryption {
            if !isEncryptionShown { outlet.message(RTMPEncrypted(version: version), offset..<bytes.byteCount) }
            isEncryptionShown = true
            return bytes.byteCount
        }
        return offset &+ sides.readers.read(bytes, from: offset, isClient: isClient, isCut: isCut, outlet)
    }

    private func hasSpoken(_ isClient: Bool) -> Bool {
        isClient ? sides.readers.client.hasSpoken : sides.readers.server.hasSpoken
    }

    /// A side says the first octet that is no handshake.
    private mutating func speak(_ isClient: Bool) {
        let awaited = startsLate ? nil : handshake.awaited(isClient: isClient)
        if isClient {
            sides.readers.client.hasSpoken = true
            sides.readers.client.hurriesAhead = awaited
        } else {
            sides.readers.server.hasSpoken = true
            sides.readers.server.hurriesAhead = awaited
        }
    }

    /// Finds out whether a side whose beginning may be missing begins with the handshake. False: more octets are needed.
    private mutating func decide(_ bytes: RawSpan, _ isClient: Bool, _ isCut: Bool, _ outlet: Outlet) -> Bool {
        guard !(isClient ? isClientDecided : isServerDecided) else { return true }
        switch RTMPProbe.beginsHandshake(bytes, isClient: isClient, isCut: isCut) {
        case .yes: break
        case .no, .hidden: beginLate(isClient)
        case .needMore:
            outlet.need(RTMPProbe.first)
            return false
        }
        if isClient { isClientDecided = true } else { isServerDecided = true }
        return true
    }

    /// The capture begins behind this side's handshake.
    private mutating func beginLate(_ isClient: Bool) {
        handshake.skip(isClient: isClient)
        if isClient {
            isClientDecided = true
            sides.readers.client.beginLate()
        } else {
            isServerDecided = true
            sides.readers.server.beginLate()
        }
    }
}
