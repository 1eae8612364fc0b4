import Foundation
import WeirCapture
import WeirPackets

/// The captures below `Captures/`.
package enum RecordedCaptures {
    /// The folder of the package.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Paths relative to the package of all captures, sorted: the same on every machine.
    package static let all = files(below: "Captures", endings: [".pcap", ".pcapng", ".cap", ".gz", ".zst"])

    /// Paths relative to the package of all files below a folder whose names end in one of `endings`, sorted.
    package static func files(below folder: String, endings: [String]) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.allObjects ?? []
        return names.compactMap { $0 as? String }
            .filter { name in endings.contains { name.hasSuffix($0) } }
            .map { "\(folder)/\($0)" }
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// The path on this machine of a path relative to the package.
    package static func path(_ relative: String) -> String { root.appendingPathComponent(relative).path }
}

/// A frame that outlives the call that read it.
package struct KeptFrame: Sendable {
    /// What the capture says of it.
    package var info: FrameInfo
    /// Its octets.
    package var octets: [UInt8]

    /// Keeps a frame.
    package init(info: FrameInfo, octets: [UInt8]) {
        self.info = info
        self.octets = octets
    }

    /// A frame of a link type without a header (`RAW`) from an IP packet.
    package init(packet: [UInt8], number: Int, time: Timestamp) {
        info = FrameInfo(
            number: number, time: time, capturedLength: packet.count, originalLength: packet.count, linkType: .raw)
        octets = packet
    }

    /// Hands the frame over.
    package func use(_ body: (borrowing Frame) -> Void) {
        body(Frame(info: info, bytes: octets.rawSpan))
    }

    /// All frames of a capture, by its path on this machine.
    package static func read(_ path: String) throws -> [KeptFrame] {
        var capture = try CaptureFile(path)
        var frames: [KeptFrame] = []
        while let frame = try capture.next() {
            frames.append(
                KeptFrame(info: frame.info, octets: (0..<frame.bytes.byteCount).compactMap { frame.bytes.byte(at: $0) })
            )
        }
        return frames
    }
}
