import Foundation
import WeirEngine
import WeirPackets
import WeirProtocols

/// A recorded capture with the keys beside it.
package struct KeyedCapture: Sendable, CustomStringConvertible {
    /// The form of a file with keys.
    package enum Kind: Sendable {
        case keyLog, srtpKeys
    }

    /// The name of the capture, and of its keys.
    package let capture: String
    package let keys: String
    package let kind: Kind
    package var description: String { capture }

    /// All captures with keys, found by the names of the files.
    package static let all: [KeyedCapture] = RecordedCaptures.all.compactMap { capture in
        let base = (capture as NSString).deletingPathExtension
        for (ending, kind) in [("keys", Kind.keyLog), ("keylog", .keyLog), ("srtp-keys", .srtpKeys)] {
            let keys = "\(base).\(ending)"
            if FileManager.default.fileExists(atPath: RecordedCaptures.path(keys)) {
                return KeyedCapture(capture: capture, keys: keys, kind: kind)
            }
        }
        return nil
    }

    /// The lines of the file with keys that are not comments.
    package var lines: [String] {
        get throws {
            try String(contentsOfFile: RecordedCaptures.path(keys), encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") }.map(String.init)
        }
    }

    /// The options with the keys of these lines.
    package func options(_ lines: [String]) -> AnalyzerOptions {
        var options = AnalyzerOptions()
        let text = Array(lines.joined(separator: "\n").utf8)
        switch kind {
        case .keyLog:
            let log = KeyLog.parse(text, source: "keys").log
            options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        case .srtpKeys:
            options.limits[SRTPSettings.self].keys = SRTPKeyFile.parse(text, source: "keys").file
        }
        return options
    }
}
