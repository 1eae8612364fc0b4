import WeirPackets

extension RTPMap {
    /// Parses the value of an `a=rtpmap` line; returns nil if payload type or encoding are missing.
    package init?(_ value: String) {
        let words = TextSyntax.words(value)
        guard words.count >= 2, let number = TextSyntax.decimal(words[0], as: UInt8.self), number < 128 else {
            return nil
        }
        let text = words.count == 2 ? words[1] : words[1...].joined(separator: " ")
        let (name, rest) = TextSyntax.pair(text, at: ASCII.slash)
        guard !name.isEmpty else { return nil }
        let (rate, more) = TextSyntax.pair(rest ?? "", at: ASCII.slash)
        payloadType = number
        encoding = TextSyntax.trim(name)
        clockRate = TextSyntax.decimal(TextSyntax.trim(rate)).flatMap { $0 > 0 ? $0 : nil }
        parameters = more.map { TextSyntax.trim($0) }
    }
}

extension FormatParameters {
    /// Parses the value of an `a=fmtp` line; returns nil if it is empty.
    package init?(_ value: String) {
        guard let (format, raw) = Self.parts(value) else { return nil }
        self.init(format: format, raw: raw)
    }

    /// Splits the value into the format and the rest.
    static func parts(_ value: String) -> (format: String, raw: String)? {
        let text = TextSyntax.trim(value)
        guard !text.isEmpty else { return nil }
        let blank = text.utf8.firstIndex(where: TextSyntax.isBlank) ?? text.endIndex
        return (String(text[..<blank]), TextSyntax.trim(text[blank...]))
    }
}

extension RTCPFeedbackAttribute {
    /// Parses the value of an `a=rtcp-fb` line.
    init?(_ value: String) {
        let words = TextSyntax.words(value)
        guard words.count >= 2 else { return nil }
        payloadType = words[0]
        type = words[1]
        parameter = words.count > 2 ? words[2...].joined(separator: " ") : nil
    }
}

extension ExtensionMap {
    /// Parses the value of an `a=extmap` line.
    package init?(_ value: String) {
        let words = TextSyntax.words(value)
        guard words.count >= 2 else { return nil }
        let (number, way) = TextSyntax.pair(words[0], at: ASCII.slash)
        guard let identifier = TextSyntax.decimal(number) else { return nil }
        id = identifier
        direction = way
        uri = words[1]
        attributes = words.count > 2 ? words[2...].joined(separator: " ") : nil
    }
}

extension SourceAttribute {
    /// Parses the value of an `a=ssrc` line.
    init?(_ value: String) {
        let (number, rest) = TextSyntax.pair(value, at: ASCII.space)
        guard let source = TextSyntax.decimal(number, as: UInt32.self), let rest else { return nil }
        let (attribute, text) = TextSyntax.pair(rest, at: ASCII.colon)
        ssrc = source
        name = TextSyntax.trim(attribute)
        self.value = text
    }
}

extension CryptoAttribute {
    /// Parses the value of an `a=crypto` line.
    package init?(_ value: String) {
        let words = TextSyntax.words(value)
        guard words.count >= 3 else { return nil }
        tag = words[0]
        suite = words[1]
        keyParameters = words[2]
        sessionParameters = Array(words[3...])
    }
}
