import WeirCapture
import WeirPackets
import WeirProtocols

/// Searches a redacted capture for what was replaced: names and secrets in the clear, in base64, in hexadecimal, and in the escapes
/// of URIs and JSON; and addresses in headers and texts.
struct SearchProof {
    private let finder: TextRedactor
    private let addresses: Set<IPAddress>
    private static let most = 5
    /// Shorter words are found in any noise.
    private static let shortest = 5

    init(_ texts: SensitiveTexts, _ words: WordMapping, _ addresses: AddressMapping, _ key: RedactionKey) {
        var searched = SensitiveTexts(limit: texts.limit * 8)
        let images = Set(texts.words.map { words($0) })
        for word in texts.words where word.count >= Self.shortest && !images.contains(word) {
            searched.add(secret: word)
            guard word.count >= SensitiveTexts.shortestInside else { continue }
            for form in Self.encoded(word) { searched.add(phrase: form, [UInt8](repeating: 0x3F, count: form.count)) }
        }
        for phrase in texts.phrases.keys { searched.add(phrase: phrase, [UInt8](repeating: 0x3F, count: phrase.count)) }
        let replaced = addresses.replaced
        let newOnes = Set(replaced.values)
        self.addresses = Set(replaced.keys).subtracting(newOnes)
        for address in self.addresses where address.description.count >= 9 {
            let text = Array(address.description.utf8)
            searched.add(phrase: text, [UInt8](repeating: 0x3F, count: text.count))
        }
        finder = TextRedactor(searched, words, AddressMapping(key, isKept: true))
    }

    /// Returns the forms of a word in other encodings.
    private static func encoded(_ word: [UInt8]) -> [[UInt8]] {
        var forms: [[UInt8]] = []
        for uppercase in [false, true] {
            forms.append(
                Array(word.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: uppercase) }.joined().utf8))
        }
        for shift in 0..<3 {
            let text = Array(Base64.encode([UInt8](repeating: 0, count: shift) + word).utf8)
            // The characters that depend on the word alone.
            let start = (shift * 8 + 5) / 6
            let end = (shift + word.count) * 8 / 6
            if end - start >= 8 { forms.append(Array(text[start..<end])) }
        }
        return forms
    }

    /// Returns where something was found, at most a few places.
    func found(in file: String) throws -> [String] {
        var found: [String] = []
        var capture = try CaptureFile(file)
        while found.count < Self.most, let frame = try capture.next() {
            let octets = frame.bytes.array()
            let number = frame.info.number
            var searched = octets
            finder.redact(&searched)
            if octets != searched, let place = octets.indices.first(where: { octets[$0] != searched[$0] }) {
                found.append("frame \(number): a name or secret is still at offset \(place)")
            }
            let layout = PacketLayout(octets, frame.info.linkType)
            for network in layout.networks {
                for place in [network.addresses.0, network.addresses.1] {
                    guard let address = PacketAddresses.address(octets, place, isIPv4: network.isIPv4),
                        addresses.contains(address)
                    else { continue }
                    found.append("frame \(number): an address that was replaced is still in the header")
                }
            }
        }
        return found
    }
}

extension Redaction {
    /// Proves that the file that was written has the same story, and contains nothing that was replaced.
    ///
    /// - Throws: `RedactionError.proof` with the differences; `CaptureError` if it cannot be read.
    public func prove(_ written: String) throws {
        let story = Concurrent { [limit = heldOctets] in try StoryRecords.records(of: written, limit: limit) }
        let found = Result { try SearchProof(texts, words, addresses, RedactionKey()).found(in: written) }
        // Also if the search failed: the file is not removed while it is read.
        let other = try story.wait()
        let differences = StoryProof(text: text).differences(try records.records(), other)
        let places = try found.get()
        guard differences.isEmpty, places.isEmpty else { throw RedactionError.proof(differences + places) }
    }
}
