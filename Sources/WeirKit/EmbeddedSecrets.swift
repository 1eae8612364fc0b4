import Synchronization
import WeirCapture
import WeirEngine
import WeirProtocols

/// The secrets that one capture contains: adds them to a key log, and reports the lines that cannot be used.
final class EmbeddedSecrets: Sendable {
    /// The lines that are reported one by one.
    private static let mostFaults = 8

    private struct State {
        /// The blocks that were added.
        var blocks = 0
        /// Whether the file was searched to its end, so that the reader finds nothing new.
        var isSearched = false
        var faults = 0
    }

    private let file: String
    private let report: (@Sendable (String) -> Void)?
    private let state = Mutex(State())

    /// Creates a collection.
    ///
    /// - Parameter report: Called with a description of a line that cannot be used.
    init(_ file: String, report: (@Sendable (String) -> Void)?) {
        self.file = file
        self.report = report
    }

    /// Adds a block that the reader of the capture found.
    func take(_ block: EmbeddedKeyLog, _ log: KeyLog) {
        let isNew = state.withLock { state in
            if !state.isSearched { state.blocks += 1 }
            return !state.isSearched
        }
        if isNew { add(block, log) }
    }

    /// Adds the blocks of the whole file that the reader has not yet found.
    func search(_ log: KeyLog) {
        let known = state.withLock { state in
            state.isSearched = true
            return state.blocks
        }
        for block in CaptureFile.allKeyLogs(in: file).dropFirst(known) { add(block, log) }
    }

    private func add(_ block: EmbeddedKeyLog, _ log: KeyLog) {
        var text = block.text
        let before = log.lineCount
        let faults = log.add(text) + log.finish()
        SecretMemory.overwrite(&text)
        guard let report else { return }
        let place = block.frames == 0 ? "before frame 1" : "after frame \(block.frames)"
        for fault in faults {
            let number = state.withLock { state in
                state.faults += 1
                return state.faults
            }
            if number <= Self.mostFaults {
                report("\(file): Decryption Secrets Block \(place), line \(fault.line - before): \(fault.reason)")
            } else if number == Self.mostFaults + 1 {
                report("\(file): further lines of Decryption Secrets Blocks cannot be used")
            }
        }
    }
}

extension Analysis {
    /// Adds the secrets that a capture contains. Those behind the packets that need them are searched in files once a
    /// connection lacks secrets; in a stream, they are used for the connections after them.
    ///
    /// - Parameter report: Called with a description of a line that cannot be used.
    package static func addSecrets(
        of capture: borrowing CaptureFile, _ file: String, _ options: inout AnalyzerOptions,
        report: (@Sendable (String) -> Void)? = nil
    ) {
        guard capture.format == .pcapng else { return }
        let secrets = EmbeddedSecrets(file, report: report)
        let search: @Sendable (KeyLog) -> Void = { secrets.search($0) }
        let log = KeyLog(source: file, deferred: capture.canBeSearchedForKeyLogs ? search : nil)
        for block in capture.keyLogs { secrets.take(block, log) }
        capture.whenKeyLogFound { secrets.take($0, log) }
        let given = options.limits[DecryptionSettings.self].keys
        options.limits[DecryptionSettings.self].keys = given?.adding(log) ?? DecryptionKeys(logs: [log])
    }
}
