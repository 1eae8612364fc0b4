import WeirPackets

/// The mapping of a redaction as a file: the key, and each original with its replacement. A line each:
///
///     weir redaction map 1
///     key 00112233…
///     address 192.168.1.20 192.168.7.83
///     mac 02:00:00:00:00:01 b6:12:9e:01:fa:77
///     word kitchen qzmvawe
public struct MappingFile: Sendable {
    /// A line that cannot be read.
    public struct Fault: Error, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// What is wrong.
        public let reason: String
    }

    /// The key.
    public var key: RedactionKey
    /// Words that are replaced, with their replacements.
    package var words: [(word: [UInt8], replacement: [UInt8])] = []
    /// Addresses that were replaced, with their replacements.
    package var addresses: [(IPAddress, IPAddress)] = []
    /// Whether it was read from a file.
    public private(set) var isRead = false

    /// Creates a mapping with a new key.
    public init() {
        key = RedactionKey()
    }

    /// Reads a file.
    ///
    /// - Throws: `Fault` at the first line that cannot be read.
    public init(_ text: String) throws(Fault) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == "weir redaction map 1" else {
            throw Fault(line: 1, reason: "not a mapping file: it does not begin with 'weir redaction map 1'")
        }
        var key: RedactionKey?
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let parts = line.split(separator: " ")
            switch (parts.first, parts.count) {
            case ("key", 2):
                guard let octets = Self.octets(hexadecimal: parts[1]), let found = RedactionKey(octets) else {
                    throw Fault(line: index + 1, reason: "the key is not hexadecimal, or has less than 16 octets")
                }
                key = found
            case ("word", 3):
                guard parts[1].utf8.count == parts[2].utf8.count else {
                    throw Fault(line: index + 1, reason: "a replacement of another length than the word")
                }
                words.append((Array(parts[1].utf8), Array(parts[2].utf8)))
            case ("address", 3):
                guard let one = IPAddress(parts[1]), let other = IPAddress(parts[2]) else {
                    throw Fault(line: index + 1, reason: "not two addresses")
                }
                addresses.append((one, other))
            case ("mac", 3): break
            default: throw Fault(line: index + 1, reason: "not a key, an address or a word with its replacement")
            }
        }
        guard let key else { throw Fault(line: 1, reason: "there is no key") }
        self.key = key
        isRead = true
    }

    private static func octets(hexadecimal text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Returns the text of a mapping.
    package static func text(
        _ key: RedactionKey, _ addresses: AddressMapping, _ texts: SensitiveTexts, _ words: WordMapping
    )
        -> String
    {
        let digits = key.octets.map { octet in (octet < 16 ? "0" : "") + String(octet, radix: 16) }.joined()
        var lines = ["weir redaction map 1", "key \(digits)"]
        lines += addresses.replaced.map { "address \($0) \($1)" }.sorted()
        lines += addresses.replacedMACs.map { "mac \(Self.text($0)) \(Self.text($1))" }.sorted()
        lines += texts.words.map {
            "word \(String(decoding: $0, as: UTF8.self)) \(String(decoding: words($0), as: UTF8.self))"
        }.sorted()
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ mac: [UInt8]) -> String {
        mac.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
}
