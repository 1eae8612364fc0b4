import WeirPackets

/// Replaces addresses and sensitive words in octets that are text, or that contain texts between binary fields.
package struct TextRedactor {
    private let addresses: AddressMapping
    private let mapping: WordMapping
    private let words: Set<[UInt8]>
    /// The hashes of the words.
    private let wordHashes: Set<UInt64>
    /// Phrases and long words by their first octets, longest first.
    private let phrases: [UInt64: [(text: [UInt8], replacement: [UInt8])]]
    private let longWords: [UInt64: [[UInt8]]]
    /// How phrases and long words begin, and how words do.
    private let beginnings: PrefixFilter
    private let wordBeginnings: PrefixFilter
    /// How anything begins.
    private let pairs: PairFilter

    /// Whether names stay that the analysis does not know.
    private let keepsNames: Bool

    /// The number of first octets by which phrases are found; long words by twice as many.
    private static let prefix = 4

    /// Creates a redactor.
    package init(
        _ texts: SensitiveTexts, _ mapping: WordMapping, _ addresses: AddressMapping, keepsNames: Bool = false
    ) {
        self.addresses = addresses
        self.keepsNames = keepsNames
        self.mapping = mapping
        words = texts.words
        let found = texts.phrases.sorted { $0.key.count > $1.key.count }
        phrases = Dictionary(grouping: found.map { (text: $0.key, replacement: $0.value) }) {
            Self.number($0.text, 0, Self.prefix)
        }
        let long = texts.words.filter { $0.count >= SensitiveTexts.shortestInside }
        longWords = Dictionary(grouping: long.sorted { $0.count > $1.count }) { Self.number($0, 0, Self.prefix * 2) }
        let whole = long + Array(texts.phrases.keys)
        beginnings = PrefixFilter(whole, count: 3)
        wordBeginnings = PrefixFilter(words, count: 2)
        wordHashes = Set(
            words.map { word in
                var hash = WordHash()
                for octet in word { hash.add(octet) }
                return hash.value
            })
        pairs = Self.pairs(whole + words)
    }

    /// Returns how texts, escape sequences and addresses begin.
    private static func pairs(_ texts: [[UInt8]]) -> PairFilter {
        var pairs = PairFilter()
        for text in texts { pairs.insert(startOf: text) }
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max
            where isEscape(first) || isOfAddress(first) && isOfAddress(second) { pairs.insert(first, second) }
        }
        return pairs
    }

    /// Whether an escape sequence of a URI or a JSON text begins with an octet.
    private static func isEscape(_ octet: UInt8) -> Bool { octet == 0x25 || octet == 0x5C }

    /// Replaces what is sensitive in a range.
    package func redact(_ octets: inout [UInt8], _ range: Range<Int>? = nil) {
        let range = (range ?? 0..<octets.count).clamped(to: 0..<octets.count)
        var place = range.lowerBound
        while let next = candidate(octets.rawSpan, place, range) {
            place = next + (replaced(&octets, next, range) ?? 1)
        }
    }

    /// The octets of the longest escape sequence.
    private static let longestEscape = 6

    /// Returns the next place where something may begin: nearly none in content that is no text.
    private func candidate(_ bytes: RawSpan, _ start: Int, _ range: Range<Int>) -> Int? {
        // Words may begin behind an escape sequence, which is made of the octets of words.
        let escapeEnd = start &+ Self.longestEscape
        var next = start
        while let place = pairs.firstPlace(in: bytes, from: next, to: range.upperBound) {
            let first = bytes.uint32(at: place) ?? Self.last(bytes, place)
            let octet = UInt8(truncatingIfNeeded: first >> 24)
            if beginnings.mayBegin(first) || Self.isEscape(octet) { return place }
            let isBehindWord =
                place > range.lowerBound && bytes.byte(at: place &- 1).map(WordMapping.isWordOctet) ?? false
            if !isBehindWord || place < escapeEnd {
                let isAddress =
                    Self.isOfAddress(octet) && Self.isOfAddress(UInt8(truncatingIfNeeded: first >> 16))
                if isAddress || wordBeginnings.mayBegin(first) { return place }
            }
            next = place &+ 1
        }
        return nil
    }

    /// Returns up to four octets at the end, the first in the highest bits.
    private static func last(_ bytes: RawSpan, _ place: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes.byte(at: place &+ $1) ?? 0) }
    }

    /// Replaces each word of a text about which nothing is known, except for common words; addresses, and numbers from four digits on
    /// unless they are kept, such as ports.
    package func redactAll(_ octets: inout [UInt8], _ range: Range<Int>? = nil, keepsNumbers: Bool = false) {
        let range = (range ?? 0..<octets.count).clamped(to: 0..<octets.count)
        var place = range.lowerBound
        while place < range.upperBound {
            place += unknown(&octets, place, range, keepsNumbers) ?? 1
        }
    }

    /// Returns a text about which nothing is known, with its words replaced.
    package func redactedAll(_ text: some Sequence<UInt8>) -> [UInt8] {
        var octets = Array(text)
        redactAll(&octets)
        return octets
    }

    private func unknown(
        _ octets: inout [UInt8], _ place: Int, _ range: Range<Int>, _ keepsNumbers: Bool
    ) -> Int? {
        if let length = phrase(&octets, place, range.upperBound) { return length }
        let octet = octets[place]
        if Self.isEscape(octet) { return escape(octets, place, range.upperBound) }
        guard WordMapping.isWordOctet(octet) else { return nil }
        if let length = address(&octets, place, range) { return length }
        var stop = place
        while stop < range.upperBound, WordMapping.isWordOctet(octets[stop]) { stop += 1 }
        let word = Array(octets[place..<stop])
        let plain = word.map(ASCII.lowercased)
        let isNumber = plain.allSatisfy(ASCII.isDigit)
        let isKept =
            isNumber && keepsNumbers || word.count < (isNumber ? 4 : 3) || CommonWords.contains(plain)
        if words.contains(plain) || !isKept && !keepsNames {
            octets.replaceSubrange(place..<stop, with: mapping(word))
        }
        return stop - place
    }

    /// Replaces an address of 4 or 16 octets.
    package func redact(address octets: inout [UInt8], _ range: Range<Int>) {
        guard range.count == 4 || range.count == 16,
            let address = PacketAddresses.address(octets, range.lowerBound, isIPv4: range.count == 4)
        else { return }
        octets.put(PacketAddresses.octets(addresses(address)), at: range.lowerBound)
    }

    /// Returns a text with everything sensitive replaced.
    package func redacted(_ text: some Sequence<UInt8>) -> [UInt8] {
        var octets = Array(text)
        redact(&octets)
        return octets
    }

    /// Replaces what begins at a place. Returns its length, or nil if nothing does.
    private func replaced(_ octets: inout [UInt8], _ place: Int, _ range: Range<Int>) -> Int? {
        if let length = phrase(&octets, place, range.upperBound) { return length }
        let octet = octets[place]
        if Self.isEscape(octet) { return escape(octets, place, range.upperBound) }
        let isStart = place == range.lowerBound || !WordMapping.isWordOctet(octets[place - 1])
        if isStart || isEscaped(octets, before: place, range.lowerBound) {
            if let length = address(&octets, place, range) { return length }
            if let length = word(&octets, place, range.upperBound) { return length }
        }
        return longWord(&octets, place, range.upperBound)
    }

    /// Whether a phrase or a long word may begin at a place that is at least four octets before the end.
    private func mayBegin(_ octets: [UInt8], _ place: Int) -> Bool {
        octets.rawSpan.uint32(at: place).map(beginnings.mayBegin) ?? false
    }

    private func phrase(_ octets: inout [UInt8], _ place: Int, _ end: Int) -> Int? {
        guard !phrases.isEmpty, place + Self.prefix <= end, mayBegin(octets, place),
            let candidates = phrases[Self.number(octets, place, Self.prefix)]
        else { return nil }
        for candidate in candidates where place + candidate.text.count <= end {
            guard octets[place..<place + candidate.text.count].elementsEqual(candidate.text) else { continue }
            octets.replaceSubrange(place..<place + candidate.text.count, with: candidate.replacement)
            return candidate.text.count
        }
        return nil
    }

    /// Returns the length of an escape sequence of a URI or a JSON text: its octets are no part of the word behind it.
    private func escape(_ octets: [UInt8], _ place: Int, _ end: Int) -> Int? {
        if octets[place] == 0x25 { return place + 3 <= end && isHexadecimal(octets[place + 1..<place + 3]) ? 3 : nil }
        guard place + 1 < end else { return nil }
        return octets[place + 1] == UInt8(ascii: "u") ? min(6, end - place) : 2
    }

    /// Whether the octets before a place are an escape sequence.
    private func isEscaped(_ octets: [UInt8], before place: Int, _ start: Int) -> Bool {
        if place - 3 >= start, octets[place - 3] == 0x25, isHexadecimal(octets[place - 2..<place]) { return true }
        if place - 2 >= start, octets[place - 2] == 0x5C, octets[place - 1] != UInt8(ascii: "u") { return true }
        return place - 6 >= start && octets[place - 6] == 0x5C && octets[place - 5] == UInt8(ascii: "u")
    }

    private func isHexadecimal(_ octets: ArraySlice<UInt8>) -> Bool {
        octets.allSatisfy(Self.isHexadecimal)
    }

    @inline(__always)
    private static func isOfAddress(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: ".") || octet == ASCII.colon || isHexadecimal(octet)
    }

    @inline(__always)
    private static func isHexadecimal(_ octet: UInt8) -> Bool {
        ASCII.isDigit(octet) || (0x61...0x66).contains(ASCII.lowercased(octet))
    }

    /// Replaces an address in text that begins at a place.
    private func address(_ octets: inout [UInt8], _ place: Int, _ range: Range<Int>) -> Int? {
        // In the middle of a longer number, or of a list of hexadecimal octets such as a fingerprint.
        let isBehind = place - 1 > range.lowerBound && WordMapping.isWordOctet(octets[place - 2])
        if isBehind, octets[place - 1] == UInt8(ascii: ".") { return nil }
        let isBehindColon = isBehind && octets[place - 1] == ASCII.colon && Self.isHexadecimal(octets[place - 2])
        var end = place
        var (dots, colons) = (0, 0)
        while end < range.upperBound, end - place < 46 {
            let octet = octets[end]
            if octet == UInt8(ascii: ".") {
                dots += 1
            } else if octet == ASCII.colon {
                colons += 1
            } else if !Self.isHexadecimal(octet) {
                break
            }
            end += 1
        }
        guard dots >= 3 || colons >= 2 && !isBehindColon else { return nil }
        if end < range.upperBound, WordMapping.isWordOctet(octets[end]) { return nil }
        // A port, a full stop or a colon may follow.
        for length in [end - place, dotted(octets, place, end)].compactMap(\.self) {
            var stop = place + length
            // Not the zeros at the end of an address.
            let hasGap = stop - place > 2 && octets[stop - 1] == ASCII.colon && octets[stop - 2] == ASCII.colon
            while !hasGap, stop > place, octets[stop - 1] == UInt8(ascii: ".") || octets[stop - 1] == ASCII.colon {
                stop -= 1
            }
            let text = String(decoding: octets[place..<stop], as: UTF8.self)
            if colons == 5, dots == 0, let other = mac(text) {
                octets.replaceSubrange(place..<stop, with: other)
                return stop - place
            }
            guard let address = IPAddress(text) else { continue }
            let other = Array(Self.text(addresses(address), like: octets[place..<stop]))
            guard other.count == stop - place else { continue }
            octets.replaceSubrange(place..<stop, with: other)
            return stop - place
        }
        return nil
    }

    /// Returns the length of the dotted decimal part of a text, such as of `192.0.2.1:554`.
    private func dotted(_ octets: [UInt8], _ place: Int, _ end: Int) -> Int? {
        octets[place..<end].firstIndex(of: ASCII.colon).map { $0 - place }
    }

    private func mac(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ":").compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
        guard parts.count == 6 else { return nil }
        let digits = addresses.mac(parts).flatMap { [$0 >> 4, $0 & 0xF] }
        var places = digits[...]
        return text.utf8.map { $0 == ASCII.colon ? $0 : Self.digit(places.popFirst() ?? 0, like: $0) }
    }

    /// Returns a hexadecimal digit in the case of another.
    private static func digit(_ value: UInt8, like original: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : ((0x41...0x46).contains(original) ? 0x41 : 0x61) + value - 10
    }

    /// Returns an address as text in the form of another text: with its case, zeros and omissions.
    package static func text(_ address: IPAddress, like form: ArraySlice<UInt8>) -> [UInt8] {
        guard !address.isIPv4 else { return Array(address.description.utf8) }
        var digits = AddressMapping.digits(address)[...]
        // Where `::` stands, the digits are zero in both; the groups behind it are counted from the end.
        var result: [UInt8] = []
        let parts = form.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        let groups = parts.filter { !$0.isEmpty }.reduce(0) { $0 + ($1.contains(UInt8(ascii: ".")) ? 2 : 1) }
        var hasGap = false
        for (index, part) in parts.enumerated() {
            if index > 0 { result.append(ASCII.colon) }
            if part.isEmpty {
                if !hasGap, groups < 8 { digits = digits.dropFirst(4 * (8 - groups)) }
                hasGap = true
            } else if part.contains(UInt8(ascii: ".")) {
                result += Array(IPAddress(ipv4: UInt32(truncatingIfNeeded: address.low)).description.utf8)
            } else {
                let group = digits.prefix(4).suffix(part.count)
                digits = digits.dropFirst(4)
                for (digit, original) in zip(group, part) {
                    result.append(Self.digit(digit, like: original))
                }
            }
        }
        return result
    }

    /// Replaces a sensitive word that begins at a place; returns the length of the word in any case, unless it is long enough to
    /// contain another.
    private func word(_ octets: inout [UInt8], _ place: Int, _ end: Int) -> Int? {
        var stop = place
        var hash = WordHash()
        while stop < end, WordMapping.isWordOctet(octets[stop]) {
            hash.add(octets[stop])
            stop += 1
        }
        guard stop > place else { return nil }
        if wordHashes.contains(hash.value) {
            let word = Array(octets[place..<stop])
            if words.contains(word.map(ASCII.lowercased)) {
                octets.replaceSubrange(place..<stop, with: mapping(word))
                return stop - place
            }
        }
        return stop - place < SensitiveTexts.shortestInside ? stop - place : nil
    }

    /// Replaces a long sensitive word inside of a longer run of letters and digits, such as behind a binary length.
    private func longWord(_ octets: inout [UInt8], _ place: Int, _ end: Int) -> Int? {
        guard !longWords.isEmpty, place + Self.prefix * 2 <= end, mayBegin(octets, place) else { return nil }
        let lower = octets[place..<place + Self.prefix * 2].map(ASCII.lowercased)
        guard let candidates = longWords[Self.number(lower, 0, Self.prefix * 2)] else { return nil }
        for word in candidates where place + word.count <= end {
            let found = Array(octets[place..<place + word.count])
            guard found.map(ASCII.lowercased) == word else { continue }
            octets.replaceSubrange(place..<place + word.count, with: mapping(found))
            return word.count
        }
        return nil
    }

    private static func number(_ octets: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
        octets[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A hash of a word without case, by which most words are told from all others without a copy (FNV-1a).
private struct WordHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    @inline(__always)
    mutating func add(_ octet: UInt8) {
        value = (value ^ UInt64(ASCII.lowercased(octet))) &* 0x0000_0100_0000_01B3
    }
}
