import CaptureTesting
import WeirComparison
import WeirEngine
import WeirPackets

/// Captures to compare, from files or from frames in memory.
enum ComparedCaptures {
    /// Reads a capture below `Captures/`.
    static func read(_ name: String) throws -> ComparedCapture {
        try ComparedCaptureReader.read(RecordedCaptures.path("Captures/\(name).pcap"))
    }

    /// Reads frames in memory.
    static func read(_ frames: [KeptFrame]) -> ComparedCapture {
        let reader = ComparedCaptureReader(
            CaptureRecord(file: "frames", format: "made", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { reader.add($0) } }
        return reader.finish()
    }

    /// Returns the frames of a capture below `Captures/`.
    static func frames(_ name: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
    }

    /// Compares captures as two places.
    static func places(_ a: ComparedCapture, _ b: ComparedCapture) -> PlacesComparison { PlacesComparison(a, b) }
}

extension PlacesComparison {
    /// The packets at a place, as `ssrc sequence` or `sequence`, sorted.
    func placed(_ place: PlacedPacket.Place) -> [String] {
        paths.flatMap(\.placed).filter { $0.place == place }.map { packet in
            [packet.source.map { hexadecimal($0) }, packet.sequence.map { "\($0)" }].compactMap { $0 }.joined(
                separator: " ")
        }.sorted()
    }
}
