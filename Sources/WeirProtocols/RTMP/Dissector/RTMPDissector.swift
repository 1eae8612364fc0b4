package import WeirEngine
package import WeirPackets

/// Dissects RTMP on a TCP connection: the handshake, then the messages carried in chunks, in both directions.
///
/// Every message is emitted, audio and video included; consumers select what the timeline shows.
package struct RTMPDissector: Dissector {
    /// The name, carriers, ports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "rtmp", carriers: [.tcp], ports: [1935, 1936],
        recognition:
            "the handshake: version 3, and 1536 octets with a zero field, a program's version or a valid digest; without a "
            + "handshake, several consecutive chunks")

    private let startsLate: Bool
    private let limits: LimitsReference
    private var handshake: RTMPHandshake
    /// The state of both sides after the handshake.
    package let sides: RTMPSides
    /// The sides for which it is decided whether their first octets belong to the handshake.
    private var isClientDecided: Bool
    private var isServerDecided: Bool
    private var isEncryptionShown = false

    /// Creates a dissector for a flow.
    package init(flow: FlowContext) {
        startsLate = flow.startsLate
        limits = flow.limitsReference
        isClientDecided = !flow.startsLate
        isServerDecided = !flow.startsLate
        handshake = RTMPHandshake(isOneSided: flow.isOneSided)
        sides = RTMPSides(flow)
    }

    /// The version of the handshake; on the usual ports also an unused one.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { RTMPProbe.firstOctets(isUsual) }

    /// Recognizes the handshake of either side on any port, and chunks if the capture starts late.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isUsual = opening.usesPort(descriptor.ports)
        let answer = RTMPProbe.answer(client: opening.client, server: opening.server, isUsualPort: isUsual)
        guard opening.flow.startsLate, case .no = answer else { return answer }
        return RTMPProbe.midstream(opening, isUsualPort: isUsual)
    }

    /// True: chunk boundaries are found after a gap and at a late start, and kept if a gap lies within one message.
    package static var findsStarts: Bool { true }

    /// The session type of RTMP connections.
    package static var sessionType: Session.Type? { RTMPSession.self }

    /// The fast path that skips octets within messages.
    package static var fastPath: (any FastPath.Type)? { RTMPChunkPath.self }

    /// Whether an incomplete opening is reported: an aborted handshake shows how far it got.
    package static func reportsIncomplete(_ opening: borrowing FirstBytes) -> Bool {
        RTMPProbe.mayBeginHandshake(client: opening.client, server: opening.server)
    }

    /// Reads all available parts of the handshake, chunks and partial chunks.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let isClient = direction == .clientToServer
        if startsLate, bytes.byteCount > 0 {
            // The capture starts within an HTTP body.
            switch RTMPTDissector.begins(bytes, isClients: isClient, limits.values) {
            case .yes:
                outlet.become(RTMPTDissector.descriptor.name, agreement: [])
                return 0
            case .needMore: return 0
            case .no, .hidden, .wait: break
            }
        }
        return read(bytes, isClient: isClient, isCut: false, outlet)
    }

    /// Reads the available part of a header or an opening; a gap or the end of the flow follows.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        let isClient = direction == .clientToServer
        guard read(bytes, isClient: isClient, isCut: true, outlet) < bytes.byteCount else { return }
        sides.readers.giveUp(isClient: isClient, outlet)
    }

    /// Skips missing octets. Within one message or the handshake the position of the next octet stays known.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        let isClient = direction == .clientToServer
        if !(isClient ? isClientDecided : isServerDecided) { beginLate(isClient) }
        var missing = octets
        if handshake.isOpen(isClient: isClient) { missing &-= handshake.gap(octets, isClient: isClient, outlet) }
        guard missing > 0 else { return }
        sides.readers.gap(missing, isClient: isClient, outlet)
    }

    /// Emits the incomplete part of the handshake and incomplete messages.
    package mutating func finish(_ outlet: Outlet) {
        handshake.finish(outlet)
        sides.readers.giveUp(isClient: true, outlet, isEnd: true)
        sides.readers.giveUp(isClient: false, outlet, isEnd: true)
    }

    private mutating func read(_ bytes: RawSpan, isClient: Bool, isCut: Bool, _ outlet: Outlet) -> Int {
        defer {
            // The missing part of the server's handshake may still arrive.
            let isDecided = handshake.isServerVersionKnown || hasSentData(false)
            sides.readers.isPlain = isDecided && handshake.encryption == nil
        }
        var offset = 0
        if !hasSentData(isClient) {
            guard decide(bytes, isClient, isCut, outlet) else { return 0 }
            repeat {
                handshake.reopen(bytes, at: offset, isClient: isClient)
                guard handshake.isOpen(isClient: isClient) else { break }
                offset &+= handshake.read(bytes, from: offset, isClient: isClient, outlet)
            } while offset < bytes.byteCount
        }
        guard offset < bytes.byteCount else { return offset }
        if !hasSentData(isClient) { speak(isClient) }
        if let version = handshake.encryption {
            if !isEncryptionShown { outlet.message(RTMPEncrypted(version: version), offset..<bytes.byteCount) }
            isEncryptionShown = true
            return bytes.byteCount
        }
        return offset &+ sides.readers.read(bytes, from: offset, isClient: isClient, isCut: isCut, outlet)
    }

    private func hasSentData(_ isClient: Bool) -> Bool {
        isClient ? sides.readers.client.hasSentData : sides.readers.server.hasSentData
    }

    /// Records the first octet of a side after the handshake.
    private mutating func speak(_ isClient: Bool) {
        let awaited = startsLate ? nil : handshake.awaited(isClient: isClient)
        if isClient {
            sides.readers.client.hasSentData = true
            sides.readers.client.prematureOf = awaited
        } else {
            sides.readers.server.hasSentData = true
            sides.readers.server.prematureOf = awaited
        }
    }

    /// Decides whether a side that may start late starts with the handshake. Returns false if more octets are needed.
    private mutating func decide(_ bytes: RawSpan, _ isClient: Bool, _ isCut: Bool, _ outlet: Outlet) -> Bool {
        guard !(isClient ? isClientDecided : isServerDecided) else { return true }
        switch RTMPProbe.beginsHandshake(bytes, isClient: isClient, isCut: isCut) {
        case .yes: break
        case .no, .hidden, .wait: beginLate(isClient)
        case .needMore:
            outlet.need(RTMPProbe.first)
            return false
        }
        if isClient { isClientDecided = true } else { isServerDecided = true }
        return true
    }

    /// Starts a side after its handshake.
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
