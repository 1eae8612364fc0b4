import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// RTMP data for tests.
enum RTMPBytes {
    /// connect of a Flash client, shortened: type 0, chunk stream 3, message stream 0.
    static let connect = hex(
        """
        03 000001 000025 14 00000000
        02 0007 636F6E6E656374 00 3FF0000000000000 03 0003 617070 02 0006 6C6976652F61 000009
        """)

    /// A C1 or S1: time, zero field, pseudo-random octets.
    static func part(_ seed: UInt8) -> [UInt8] {
        var generator = SeededGenerator(UInt64(seed))
        return [0, 0, 0, seed, 0, 0, 0, 0] + generator.octets(1_528)
    }

    /// C0, C1 and C2 of a client whose server sent `part(2)`.
    static let handshake = [3] + part(1) + part(2)
    /// S0, S1 and S2 in response to it.
    static let answer = [3] + part(2) + part(1)

    /// The chunks of a message.
    static func message(
        chunkStream: UInt8 = 4, type: UInt8, stream: UInt8 = 1, time: UInt32 = 0, format: UInt8 = 0,
        chunkSize: Int = 128,
        _ payload: [UInt8]
    ) -> [UInt8] {
        let isExtended = time >= 0xFF_FFFF
        var field: [UInt8] = []
        field.append32(isExtended ? 0xFF_FFFF : time)
        var octets: [UInt8] = [format << 6 | chunkStream]
        if format < 3 { octets += field[1...] }
        if format < 2 {
            var length: [UInt8] = []
            length.append32(UInt32(payload.count))
            octets += length[1...] + [type]
        }
        if format == 0 { octets += [stream, 0, 0, 0] }
        var extended: [UInt8] = []
        if isExtended { extended.append32(time) }
        octets += extended
        for start in stride(from: 0, to: max(1, payload.count), by: chunkSize) {
            if start > 0 { octets += [0xC0 | chunkStream] + extended }
            octets += payload[start..<min(payload.count, start + chunkSize)]
        }
        return octets
    }

    /// A video message of a given length: H.264, a key frame.
    static func video(_ count: Int, seed: UInt64 = 9) -> [UInt8] {
        var generator = SeededGenerator(seed)
        return hex("17 01 000000") + generator.octets(count - 5)
    }
}

extension DissectorFeed<RTMPDissector> {
    /// A feed after the client's handshake.
    static func afterHandshake(limits: Limits = Limits()) throws -> Self {
        var feed = Self(limits: limits)
        try feed.feed(RTMPBytes.handshake, .clientToServer)
        feed.forget()
        return feed
    }
}
