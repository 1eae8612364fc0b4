import CaptureTesting
import Foundation
import Testing
import WeirKit

/// Each encrypted capture that is decrypted has the same in the clear beside it: a twin, or what the sender sent.
@Suite("Twins of encrypted captures") struct TwinTests {
    /// Whether a file is below `Captures/`.
    private static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: RecordedCaptures.path(name))
    }

    /// The files that a capture is compared with: by `DecryptionTests`, `SRTPDecryptionTests` and `SRTDecryptionTests`.
    private static func references(_ capture: String) -> [String] {
        let base = (capture as NSString).deletingPathExtension
        let own = ["\(base).pcap.clear", "\(base)-clear.pcap", "\(base).sent", "\(base).sent.h264"].filter(exists)
        if own.isEmpty, capture.hasPrefix("Captures/tls/") { return ["Captures/tls/rtsp-options.pcap.clear"] }
        return own
    }

    @Test("captures with keys beside them", arguments: KeyedCapture.all)
    func keyed(_ keyed: KeyedCapture) {
        #expect(Self.references(keyed.capture).contains(where: Self.exists))
    }

    /// SRTP whose keys the capture shows itself.
    @Test("captures with keys in them")
    func contained() throws {
        var found: [String] = []
        for capture in RecordedCaptures.all where capture.contains("srtp") {
            let result = try Analysis(RecordedCaptures.path(capture)).run()
            guard result.sessions.contains(where: { !$0.record.decryptedWith.isEmpty }) else { continue }
            found.append(capture)
        }
        // The last has the peers of the first, and was recorded without what they sent.
        #expect(
            found == [
                "Captures/rtsp/rtsp-srtp-mikey.pcap", "Captures/rtsp/rtsp-srtp-sdes.pcap",
                "Captures/rtsp/rtsp-srtp.pcap",
            ])
        #expect(found.dropLast().allSatisfy { !Self.references($0).isEmpty })
    }
}
