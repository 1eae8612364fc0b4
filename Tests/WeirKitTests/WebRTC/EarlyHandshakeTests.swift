import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Handshakes that start before any connectivity check, and checks with swapped names.
@Suite("Early handshakes") struct EarlyHandshakeTests {
    /// The first datagram with the first octet, as an index.
    private static func first(_ octets: ClosedRange<UInt8>, _ frames: [KeptFrame]) throws -> Int {
        try #require(frames.firstIndex { frame in frame.datagram?.first.map(octets.contains) ?? false })
    }

    /// The call with its ClientHello moved before the first check, at the time of that.
    private static func hastened() throws -> [KeptFrame] {
        var frames = try EditedCalls.frames("webrtc-call").filter { !$0.isIPv6 }
        let check = try first(0...3, frames)
        let hello = try first(22...22, frames)
        var moved = frames.remove(at: hello)
        moved.info.time = frames[check].info.time
        frames.insert(moved, at: check)
        return frames
    }

    @Test("a ClientHello before all checks is reported if the signaling precedes it")
    func beforeChecks() throws {
        let result = EditedCalls.analyzed(try Self.hastened())
        let found = result.findings.filter { $0.rule == "DTLS-FIRST" && $0.verdict == .fail }
        #expect(found.map(\.message.key) == ["DTLS-FIRST.handshake"])
        let hello = try #require(result.events.first { $0.message.kind == "clientHello" })
        #expect(found.map(\.frame) == [hello.frame])
    }

    @Test("nothing is reported without the signaling, or for the call as recorded")
    func unproved() throws {
        for frames in [try Self.hastened().filter { $0.datagram != nil }, try EditedCalls.frames("webrtc-call")] {
            let result = EditedCalls.analyzed(frames)
            #expect(!result.findings.contains { $0.rule == "DTLS-FIRST" && $0.verdict == .fail })
        }
    }

    @Test("swapped usernames of checks do not swap the peers of the handshake")
    func swappedNames() throws {
        let frames = try EditedCalls.frames("webrtc-call").map { frame -> KeptFrame in
            guard let datagram = frame.datagram, datagram.first == 0, datagram.dropFirst().first == 1 else {
                return frame
            }
            guard let message = try? STUNMessage(Array(datagram).rawSpan), let names = message.fragments else {
                return frame
            }
            return frame.replacing(
                "\(names.receiver):\(names.sender)", with: "\(names.sender):\(names.receiver)")
        }
        let result = EditedCalls.analyzed(frames)
        #expect(!result.findings.contains { ["DTLS-FP", "DTLS-ROLE"].contains($0.rule) && $0.verdict == .fail })
    }
}
