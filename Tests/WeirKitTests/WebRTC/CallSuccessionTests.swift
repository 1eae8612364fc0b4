import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Successive calls on the same addresses and ports.
@Suite("Successive calls on the same ports") struct CallSuccessionTests {
    /// A call followed by another of the same peers on the same ports.
    ///
    /// - Parameter isSignaled: whether signaling is included; otherwise datagrams only, as with TLS signaling.
    private static func two(
        isSignaled: Bool, pause: Double, keeps: (KeptFrame) -> Bool = { _ in true }
    ) throws -> [KeptFrame] {
        let first = try EditedCalls.frames("webrtc-call").filter { (isSignaled || $0.datagram != nil) && keeps($0) }
        let second = try EditedCalls.frames("signaling-newline").filter { isSignaled || $0.datagram != nil }
            .map { $0.replacingPorts([34_532: 54_145, 49_573: 57_347]) }
        return first.merged(with: second, after: first.seconds + pause)
    }

    private static func isEncryptedAlert(_ frame: KeptFrame) -> Bool { frame.datagram?.first == 21 }

    @Test(
        "have their own sessions, checks, handshakes and media", arguments: [(true, 2.0), (false, 2.0), (false, 60.0)])
    func second(_ isSignaled: Bool, _ pause: Double) throws {
        let result = EditedCalls.analyzed(try Self.two(isSignaled: isSignaled, pause: pause))
        try #require(result.calls.count == 2)
        for call in result.calls {
            let own = result.events.filter { $0.session == call.record.id }
            #expect(own.filter { $0.message.kind == "clientHello" }.count == 1)
            #expect(own.contains { ($0.message as? STUNMessage)?.isICECheck ?? false })
            #expect(call.record.streams.count == 4 && call["iceRestarts"] == nil)
        }
        #expect(Set(result.streams.map(\.session)) == Set(result.calls.map(\.record.id)))
        #expect(result.errors.isEmpty, "\(result.errors.map(\.rule))")
    }

    @Test("also if the first was never closed, once its consent has expired", arguments: [(60.0, 2), (5.0, 1)])
    func silence(_ pause: Double, _ calls: Int) throws {
        // Within the consent lifetime, new credentials may be a restart: the two cannot be distinguished.
        let frames = try Self.two(isSignaled: false, pause: pause) { !Self.isEncryptedAlert($0) }
        #expect(EditedCalls.analyzed(frames).calls.count == calls)
    }

    @Test("a restart of a continuing call is no new call")
    func restart() throws {
        for isSignaled in [true, false] {
            let frames = try EditedCalls.frames("browser-ice-restart").filter { isSignaled || $0.datagram != nil }
            #expect(EditedCalls.analyzed(frames).calls.count == 1)
        }
    }
}
