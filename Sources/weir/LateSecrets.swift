import WeirCapture

/// Reports secrets that follow packets in a capture that cannot be read twice, once.
struct LateSecrets {
    private let file: String
    private var isReported = false

    init(_ file: String) {
        self.file = file
    }

    /// Reports a late block that was read.
    mutating func report(_ capture: borrowing CaptureFile) {
        guard !isReported, !capture.canBeSearchedForKeyLogs, let frames = capture.framesBeforeLateKeyLog else { return }
        isReported = true
        StandardError.write(
            "weir: \(file): a Decryption Secrets Block after frame \(frames) is used for later connections only; "
                + "in a file that can be read twice, it is used for all\n")
    }
}
