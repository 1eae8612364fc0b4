import Foundation
import WeirCapture
import WeirPackets
import WeirRedaction

extension FuzzTarget {
    /// Redacts a capture of all frames. Whatever they contain, the copy has as many frames of the same lengths and times, or none is
    /// made; and the proofs come to an end.
    static func redaction(_ octets: [UInt8]) -> String? {
        let frames = pieces(octets).map(Array.init)
        let (original, copy) = (temporary(), temporary())
        defer {
            for file in [original, copy] { try? FileManager.default.removeItem(atPath: file) }
        }
        do {
            try Data(capture(frames)).write(to: URL(fileURLWithPath: original))
            var options = RedactionOptions()
            // Within reach of an input, so that limits are reached, too.
            options.heldOctets = 1 << 20
            options.texts = 500
            let redaction = try Redaction(original, options, MappingFile())
            var written: [UInt8] = []
            try redaction.write(application: "fuzz") { written += $0 }
            try Data(written).write(to: URL(fileURLWithPath: copy))
            do {
                try redaction.prove(copy)
            } catch is RedactionError {
                // Hostile messages need not have the same story: then there is no copy.
            }
            return try lengths(of: copy) == frames.map(\.count) ? nil : "frames of other lengths"
        } catch is RedactionError {
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("weir-fuzz-\(UUID().uuidString).pcap").path
    }

    private static func lengths(of file: String) throws -> [Int] {
        var reader = try CaptureFile(file)
        var lengths: [Int] = []
        while let frame = try reader.next() { lengths.append(frame.bytes.byteCount) }
        return lengths
    }

    /// Returns frames of Ethernet as a pcap file.
    private static func capture(_ frames: [[UInt8]]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var octets = number(0xA1B2_C3D4) + [2, 0, 4, 0]
        for value in [0, 0, 65_535, 1] { octets += number(value) }
        for (index, frame) in frames.enumerated() {
            for value in [1_700_000_000 + index / 1_000, index % 1_000 * 1_000, frame.count, frame.count] {
                octets += number(value)
            }
            octets += frame
        }
        return octets
    }
}
