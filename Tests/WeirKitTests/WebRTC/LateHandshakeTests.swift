import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Captures that start during or after the DTLS handshake.
@Suite("Handshakes with missing hellos") struct LateHandshakeTests {
    private static func first(_ octet: UInt8) -> (KeptFrame) -> Bool { { $0.datagram?.first == octet } }
    private static func isCheck(_ frame: KeptFrame) -> Bool { frame.datagram?.first.map { $0 < 4 } ?? false }
    private static func isRecord(_ frame: KeptFrame) -> Bool { frame.datagram?.first.map { 20...63 ~= $0 } ?? false }
    private static func isMedia(_ frame: KeptFrame) -> Bool { frame.datagram?.first.map { $0 >= 128 } ?? false }

    /// Datagrams of a recorded call, from a given frame on.
    private static func datagrams(from frame: Int, _ name: String = "webrtc-call") throws -> [KeptFrame] {
        try EditedCalls.frames(name).filter { $0.datagram != nil && $0.info.number >= frame }
    }

    @Test("a ServerHello with SRTP identifies the call")
    func serverHello() throws {
        let result = EditedCalls.analyzed(try Self.datagrams(from: 21))
        #expect(result.calls.count == 1 && result.sessions.count == 1)
        #expect(result.kinds("dtls").prefix(2) == ["serverHello", "certificate"])
        #expect(result.streams.count == 4 && result.streams.allSatisfy { $0["encrypted"] == .bool(true) })
        #expect(result.errors.isEmpty && result.calls.allSatisfy { $0.heldCauses.isEmpty })
    }

    @Test(
        "records and the media between them identify the call, with or without checks", arguments: [22, 23],
        [true, false])
    func behind(_ frame: Int, _ hasChecks: Bool) throws {
        let frames = try Self.datagrams(from: frame).filter { hasChecks || !Self.isCheck($0) }
        let result = EditedCalls.analyzed(frames)
        #expect(result.calls.count == 1 && result.sessions.count == 1)
        #expect(result.kinds("dtls").first == (frame == 22 ? "certificate" : "finished"))
        #expect(result.streams.count == 4 && result.streams.allSatisfy { $0.session == result.calls.first?.record.id })
        #expect(result.errors.isEmpty && result.calls.allSatisfy { $0.heldCauses.isEmpty })
    }

    @Test("records alone are only DTLS", arguments: ["webrtc-call", "webrtc-data-channel"])
    func recordsAlone(_ name: String) throws {
        let hello = try #require(
            try Self.datagrams(from: 1, name).first {
                $0.datagram.map { DTLSReader.clientHello(Array($0).rawSpan) != nil } ?? false
            })
        let frames = try Self.datagrams(from: hello.info.number + 2, name).filter(Self.isRecord)
        let result = EditedCalls.analyzed(frames)
        #expect(result.sessions.isEmpty && result.findings.isEmpty)
        #expect(!result.kinds("dtls").isEmpty)
        #expect(result.flows.filter { $0.transport == .udp }.map(\.found) == [["dtls"]])
    }

    @Test("data of an established connection is not reported as its first")
    func data() throws {
        let frames = try Self.datagrams(from: 1, "webrtc-data-channel").filter(Self.first(23))
        let result = EditedCalls.analyzed(frames)
        let lines = result.events.filter { $0.message.protocolName == "dtls" }.map { $0.message.summary(.masked) }
        #expect(lines == ["encrypted data", "encrypted data"])
    }

    @Test("a complete handshake without SRTP is not a call")
    func others() {
        var wire = Wire()
        typealias P = PeerOctets
        func say(_ fromClient: Bool, _ octets: [UInt8]) {
            wire.datagram(fromClient: fromClient, clientPort: 5_000, serverPort: 4_433, octets)
        }
        say(true, P.handshake(1, number: 0, P.clientHello(nil)))
        say(false, P.handshake(2, number: 0, P.serverHello(nil)))
        for _ in 0..<4 {
            say(true, P.encrypted(22))
            say(false, P.encrypted(22))
            say(true, P.encrypted(23))
        }
        #expect(wire.analyzed().events.isEmpty)
    }

    @Test("no packet of other captures is mistaken for a record")
    func fill() throws {
        var records = 0
        for frame in try EditedCalls.frames("webrtc-call") {
            guard let datagram = frame.datagram.map(Array.init), let first = datagram.first else { continue }
            let isFilled = DTLSRecords.fill(datagram.rawSpan)
            #expect(isFilled == (20...23 ~= first))
            records += isFilled ? 1 : 0
            // One octet less or more is invalid.
            let (less, more) = (Array(datagram.dropLast()), datagram + [0])
            let (isLess, isMore) = (DTLSRecords.fill(less.rawSpan), DTLSRecords.fill(more.rawSpan))
            #expect(!isLess && !isMore)
        }
        #expect(records > 4)
    }
}
