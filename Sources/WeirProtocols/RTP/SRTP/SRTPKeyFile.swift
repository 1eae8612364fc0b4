import Synchronization
public import WeirPackets

/// The SRTP keys of a file that the user supplies: one a line, `SSRC PROFILE KEY [SALT] [mki=OCTETS] [kdr=RATE]`, or
/// as entries that were read from another format.
///
/// The SSRC is a number, decimal or with `0x`, or `*` for any source. Key and salt are in base64 or hexadecimal digits,
/// as two words or as one, which is the `inline` key of `a=crypto`. Lines that start with `#` are comments. Secret:
/// faults contain no octet of a key.
public final class SRTPKeyFile: Sendable {
    /// A line that cannot be used.
    public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name of the file.
        public let source: String
        /// The line, from 1.
        public let line: Int
        /// The problem, without any octet of a key.
        public let reason: String

        package init(source: String, line: Int, reason: String) {
            (self.source, self.line, self.reason) = (source, line, reason)
        }

        /// The file, the line and the problem.
        public var description: String { "\(source):\(line): \(reason)" }
    }

    /// A key as the user wrote it.
    package struct Words {
        /// The line on which it starts, from 1.
        package var line: Int
        /// The members; salt, octets of the MKI and key derivation rate may be nil.
        package var (ssrc, profile, key) = ("", "", "")
        package var salt: String?
        package var mki: String?
        package var kdr: String?

        /// Creates a key without members.
        package init(line: Int) {
            self.line = line
        }
    }

    private struct Entry: Sendable {
        /// The source, or nil for any.
        let ssrc: UInt32?
        let key: SRTPKey
        let line: Int
    }

    /// The keys beyond which further ones are ignored.
    static let mostKeys = 10_000
    /// The octets of a line beyond which it cannot be a key.
    private static let mostLineOctets = 1_024

    /// The name of the file, as the user gave it.
    public let source: String
    private let entries: [Entry]
    private let used = Mutex<Set<Int>>([])

    private init(source: String, entries: [Entry]) {
        self.source = source
        self.entries = entries
    }

    /// The number of keys.
    public var count: Int { entries.count }

    /// Creates a file from its text, and returns it with the lines that cannot be used.
    public static func parse(_ text: [UInt8], source: String) -> (file: SRTPKeyFile, faults: [Fault]) {
        var keys: [Words] = []
        var faults: [Fault] = []
        var number = 0
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            do throws(Problem) {
                if let words = try words(line, number) { keys.append(words) }
            } catch {
                faults.append(Fault(source: source, line: number, reason: error.reason))
            }
        }
        return make(keys, source: source, faults)
    }

    /// Creates a file from keys, and returns it with those that cannot be used, and other faults.
    package static func make(
        _ keys: [Words], source: String, _ faults: [Fault] = []
    ) -> (file: SRTPKeyFile, faults: [Fault]) {
        var entries: [Entry] = []
        var faults = faults
        for words in keys {
            do throws(Problem) {
                guard entries.count < mostKeys else {
                    throw Problem("ignored: the limit of \(mostKeys) keys is reached")
                }
                entries.append(try entry(words, source: source))
            } catch {
                faults.append(Fault(source: source, line: words.line, reason: error.reason))
            }
        }
        faults.sort { $0.line < $1.line }
        return (SRTPKeyFile(source: source, entries: entries), faults)
    }

    private struct Problem: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Splits a line; nil if it is empty or a comment.
    private static func words(_ line: ArraySlice<UInt8>, _ number: Int) throws(Problem) -> Words? {
        guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }), first != UInt8(ascii: "#")
        else { return nil }
        guard line.count <= mostLineOctets else { throw Problem("the line is too long for a key") }
        guard let text = String(validating: line, as: UTF8.self) else { throw Problem("the line is not text") }
        let parts = text.split { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }.map(String.init)
        var words = Words(line: number)
        for option in parts {
            if option.hasPrefix("mki=") { words.mki = String(option.dropFirst(4)) }
            if option.hasPrefix("kdr=") { words.kdr = String(option.dropFirst(4)) }
        }
        let plain = parts.filter { !$0.hasPrefix("mki=") && !$0.hasPrefix("kdr=") }
        guard 3...4 ~= plain.count else { throw Problem("not a key: SSRC, profile, and key with salt") }
        (words.ssrc, words.profile, words.key) = (plain[0], plain[1], plain[2])
        if plain.count == 4 { words.salt = plain[3] }
        return words
    }

    private static func entry(_ words: Words, source: String) throws(Problem) -> Entry {
        let identifierOctets = Int(try number(words.mki, "mki"))
        let rate = UInt64(try number(words.kdr, "kdr"))
        let ssrc = try ssrc(words.ssrc)
        guard let profile = SRTPProfile(named: words.profile) else {
            throw Problem("unknown profile; known: \(SRTPProfile.all.map(\.name).joined(separator: ", "))")
        }
        guard 0...128 ~= identifierOctets else { throw Problem("an MKI has 128 octets at most") }
        guard rate & (rate &- min(rate, 1)) == 0, rate <= 1 << 24 else {
            throw Problem("the key derivation rate is not a power of two up to 2^24")
        }
        var secret: [UInt8]
        if let salt = words.salt {
            secret =
                try octets(words.key, count: profile.keyOctets, "master key", profile)
                + octets(salt, count: profile.saltOctets, "master salt", profile)
        } else {
            secret = try octets(
                words.key, count: profile.keyOctets + profile.saltOctets, "master key with salt", profile)
        }
        defer { SecretMemory.overwrite(&secret) }
        guard
            let key = SRTPKey(
                profile, secret: secret, identifierOctets: identifierOctets, rate: rate,
                source: .file(source, line: words.line))
        else { throw Problem("not a key") }
        return Entry(ssrc: ssrc, key: key, line: words.line)
    }

    /// Returns the value of an option; 0 without it.
    private static func number(_ word: String?, _ name: String) throws(Problem) -> UInt32 {
        guard let word else { return 0 }
        guard let value = TextSyntax.decimal(word, as: UInt32.self) else { throw Problem("\(name) is not a number") }
        return value
    }

    private static func ssrc(_ word: String) throws(Problem) -> UInt32? {
        if word == "*" { return nil }
        let number =
            TextSyntax.hasPrefix(word, "0x")
            ? UInt32(word.dropFirst(2), radix: 16) : TextSyntax.decimal(word, as: UInt32.self)
        guard let number else { throw Problem("the SSRC is neither a number nor *") }
        return number
    }

    /// Decodes a secret of known length: hexadecimal digits if there are twice as many, otherwise base64.
    private static func octets(
        _ word: String, count: Int, _ what: String, _ profile: SRTPProfile
    ) throws(Problem) -> [UInt8] {
        let digits = Array(word.utf8)
        var octets: [UInt8] = []
        if digits.count == 2 * count, digits.allSatisfy(TextSyntax.isHexDigit) {
            for index in stride(from: 0, to: digits.count, by: 2) {
                octets.append(value(digits[index]) << 4 | value(digits[index &+ 1]))
            }
            return octets
        }
        var base64 = Base64()
        for digit in digits { base64.decode(digit, into: &octets) }
        guard base64.invalidCharacters == 0 else { throw Problem("the \(what) is neither base64 nor hexadecimal") }
        guard octets.count == count else {
            let isHexadecimal = digits.allSatisfy(TextSyntax.isHexDigit) && digits.count.isMultiple(of: 2)
            let length = isHexadecimal ? "\(digits.count / 2) (or \(octets.count) in base64)" : "\(octets.count)"
            throw Problem("\(what) of \(length) octets: \(profile.name) needs \(count)")
        }
        return octets
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        ASCII.isDigit(digit) ? digit & 15 : (digit & 15) &+ 9
    }

    // MARK: - Use

    /// Returns the keys of a source: those with its SSRC first, then those of any.
    func keys(of ssrc: UInt32?) -> [SRTPKey] {
        entries.filter { $0.ssrc != nil && $0.ssrc == ssrc }.map(\.key) + entries.filter { $0.ssrc == nil }.map(\.key)
    }

    /// Records that a key decrypts a stream.
    func noteUse(_ key: SRTPKey.Source) {
        guard case .file(source, let line) = key else { return }
        used.withLock { _ = $0.insert(line) }
    }

    /// The lines of keys that fit no packet, as faults.
    public var unused: [Fault] {
        used.withLock { used in
            entries.filter { !used.contains($0.line) }.map {
                Fault(source: source, line: $0.line, reason: "the key fits no packet")
            }
        }
    }
}

/// Settings for the decryption of SRTP, passed to sessions with the limits.
public struct SRTPSettings: LimitSet {
    /// The keys that the user supplied, or nil.
    public var keys: SRTPKeyFile?

    /// Creates settings without keys.
    public init() {}
}
