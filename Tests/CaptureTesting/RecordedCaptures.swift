import Foundation
import WeirCapture
import WeirPackets

/// The captures below `Captures/`.
package enum RecordedCaptures {
    /// The root folder of the package.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Paths of all captures, relative to the package and sorted, so that they are the same on every machine.
    package static let all = files(below: "Captures", endings: [".pcap", ".pcapng", ".cap", ".gz", ".zst"])

    /// Returns the paths of all files below a folder whose names end in one of `endings`, relative to the package and
    /// sorted.
    package static func files(below folder: String, endings: [String]) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.allObjects ?? []
        return names.compactMap { $0 as? String }
            .filter { name in endings.contains { name.hasSuffix($0) } }
            .map { "\(folder)/\($0)" }
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// Returns each nth of a list, for tests that read each capture many times; all with WEIR_ALL_CAPTURES.
    package static func sample(_ names: [String], every count: Int) -> [String] {
        guard ProcessInfo.processInfo.environment["WEIR_ALL_CAPTURES"] == nil else { return names }
        return names.enumerated().filter { $0.offset % count == 0 }.map(\.element)
    }

    /// Returns the absolute path for a path relative to the package.
    package static func path(_ relative: String) -> String { root.appendingPathComponent(relative).path }
}

/// A copy of a frame that remains valid after the read call returns.
package struct KeptFrame: Sendable {
    /// The capture metadata of the frame.
    package var info: FrameInfo
    /// The frame's octets.
    package var octets: [UInt8]

    /// Creates a frame.
    package init(info: FrameInfo, octets: [UInt8]) {
        self.info = info
        self.octets = octets
    }

    /// Creates a frame of link type `RAW` from an IP packet.
    package init(packet: [UInt8], number: Int, time: Timestamp) {
        info = FrameInfo(
            number: number, time: time, capturedLength: packet.count, originalLength: packet.count, linkType: .raw)
        octets = packet
    }

    /// Passes the frame to `body`.
    package func use(_ body: (borrowing Frame) -> Void) {
        body(Frame(info: info, bytes: octets.rawSpan))
    }

    /// Returns all frames of the capture at an absolute path.
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
