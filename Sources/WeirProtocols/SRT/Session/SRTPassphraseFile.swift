import Synchronization
public import WeirPackets

/// The passphrases of a file, one a line. They never appear in a report.
public final class SRTPassphraseFile: Sendable {
    /// A line that cannot be used.
    public struct Fault: Sendable, CustomStringConvertible {
        /// The fault with file and line, without the passphrase.
        public let description: String
    }

    /// The lengths in octets that implementations accept.
    private static let lengths = 10...80
    /// Passphrases beyond which further ones are refused.
    private static let most = 64

    /// The name of the file.
    public let source: String
    let passphrases: [[UInt8]]
    private let uses = Mutex((unwrapped: 0, failed: 0))
    /// Keys that may still be derived, for all connections together.
    private let budget = Mutex(mostDerivations)
    /// Derivations for all connections together: each takes about a millisecond.
    private static let mostDerivations = 16_384

    private init(source: String, passphrases: [[UInt8]]) {
        self.source = source
        self.passphrases = passphrases
    }

    /// The number of passphrases.
    public var count: Int { passphrases.count }
    /// Whether keys were captured, and no passphrase unwrapped any of them.
    public var fitsNothing: Bool { uses.withLock { $0.failed > 0 && $0.unwrapped == 0 } }

    /// Whether there were more keys to derive than the limit allows.
    public var isExhausted: Bool { budget.withLock { $0 < 0 } }

    /// Takes one of the derivations that are left. Returns false if there is none.
    func takeDerivation() -> Bool {
        budget.withLock { left in
            left = max(-1, left - 1)
            return left >= 0
        }
    }

    func note(isUnwrapped: Bool) {
        uses.withLock { if isUnwrapped { $0.unwrapped &+= 1 } else { $0.failed &+= 1 } }
    }

    /// Creates a file from its text, and returns it with the lines that cannot be used.
    public static func parse(_ text: [UInt8], source: String) -> (file: SRTPassphraseFile, faults: [Fault]) {
        var passphrases: [[UInt8]] = []
        var faults: [Fault] = []
        for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let passphrase = Array(line.last == 0x0D ? line.dropLast() : line)
            guard !passphrase.isEmpty else { continue }
            let place = "\(source):\(index + 1)"
            if !lengths.contains(passphrase.count) {
                faults.append(Fault(description: "\(place): a passphrase has 10 to 80 octets"))
            } else if passphrases.count == most {
                faults.append(Fault(description: "\(place): ignored: the limit of \(most) passphrases is reached"))
            } else {
                passphrases.append(passphrase)
            }
        }
        return (SRTPassphraseFile(source: source, passphrases: passphrases), faults)
    }
}

/// Settings for the decryption of SRT, passed to sessions with the limits.
public struct SRTSettings: LimitSet {
    /// The passphrases that the user supplied, or nil.
    public var passphrases: SRTPassphraseFile?
    /// Passphrases tried per connection, since each derivation takes about a millisecond.
    public var derivations = 128

    /// Creates settings without passphrases.
    public init() {}
}
