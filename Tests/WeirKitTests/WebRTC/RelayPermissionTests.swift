import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Relay permissions, for calls that start long after the permission, and with several relays.
@Suite("Permissions of relays") struct RelayPermissionTests {
    /// Returns the rule's findings and its number of passes.
    private static func verdict(_ frames: [KeptFrame]) -> (said: [String], passes: Int) {
        let result = EditedCalls.analyzed(frames)
        return (
            result.findings.filter { $0.rule == "TURN-FLOW" }.map(\.message.key),
            result.tallies.flatMap { $0 }.first { $0.rule == "TURN-FLOW" }?.pass ?? 0
        )
    }

    private static func message(_ frame: KeptFrame) -> STUNMessage? {
        frame.datagram.flatMap { datagram in
            let octets = Array(datagram)
            return try? STUNMessage(octets.rawSpan)
        }
    }

    /// Frames of a relayed call without readable signaling: the first check creates the session.
    private static func datagrams() throws -> [KeptFrame] {
        try EditedCalls.frames("browser-turn").filter { $0.datagram != nil }
    }

    @Test("granted before a call was recognized")
    func before() throws {
        let verdict = Self.verdict(try Self.datagrams())
        #expect(verdict.said == [] && verdict.passes > 4)
    }

    @Test("also if the relay is asked for an address again after the first check")
    func again() throws {
        // The second response, to the same client, after the packets that followed the first.
        let frames = try Self.datagrams()
        let allocated = try #require(frames.first { Self.message($0)?.relayedAddress != nil })
        let sends = frames.indices.filter { Self.message(frames[$0])?.method == 0x006 }
        let sent = try #require(sends.dropFirst().first)
        var more = frames
        var repeated = allocated
        repeated.info.time = frames[sent].info.time
        // Between two packets to the peer, after the check that created the session.
        more.insert(repeated, at: sent)
        #expect(Self.verdict(more).said == [])
    }

    @Test("a missing permission is reported once per peer, inside or outside a call")
    func missing() throws {
        let frames = try Self.datagrams()
        let without = frames.filter { ![0x008, 0x009].contains(Self.message($0)?.method ?? 0) }
        #expect(Self.verdict(without).said == ["TURN-FLOW.permission"])
    }

    @Test("a response without its request is undecided")
    func unknown() throws {
        let without = try Self.datagrams().filter { frame in
            guard let message = Self.message(frame) else { return true }
            return ![0x008, 0x009].contains(message.method) || !message.isRequest
        }
        #expect(Self.verdict(without).said == [])
    }
}
