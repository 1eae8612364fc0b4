import WeirPackets

extension [SDPAttribute] {
    /// Returns the value of the first attribute named `name`; empty if it has no value, nil if there is none.
    public func first(_ name: String) -> String? {
        first { $0.name == name }.map { $0.value ?? "" }
    }

    /// Returns the values of all attributes named `name`, in order.
    public func all(_ name: String) -> [String] {
        filter { $0.name == name }.map { $0.value ?? "" }
    }

    /// Whether there is an attribute named `name`.
    public func has(_ name: String) -> Bool {
        contains { $0.name == name }
    }

    /// The direction, from the first of the four attributes (RFC 8866 §6.7).
    var direction: MediaDirection? {
        lazy.compactMap { MediaDirection(rawValue: $0.name) }.first
    }

    /// The DTLS fingerprints (RFC 8122 §5).
    var fingerprints: [SDPFingerprint] {
        all("fingerprint").compactMap { value in
            let words = TextSyntax.words(value)
            return words.count == 2 ? SDPFingerprint(hash: words[0], value: words[1]) : nil
        }
    }
}

/// The media direction, from the perspective of the description's sender (RFC 8866 §6.7).
public enum MediaDirection: String, Sendable, Hashable {
    /// Send and receive.
    case sendrecv
    /// Send only.
    case sendonly
    /// Receive only.
    case recvonly
    /// Neither send nor receive.
    case inactive
}

/// An `a=rtpmap` line: the encoding of a payload type (RFC 8866 §6.6).
public struct RTPMap: Sendable, Hashable {
    /// The payload type, 0 to 127.
    public var payloadType: UInt8
    /// The encoding name as sent, such as `H264`.
    public var encoding: String
    /// The RTP clock rate in hertz, or nil if missing or not a positive number.
    public var clockRate: Int?
    /// The encoding parameters: the number of channels for audio.
    public var parameters: String?
    /// The number of audio channels; 1 by default.
    public var channels: Int { parameters.flatMap { TextSyntax.decimal($0) } ?? 1 }
}

/// An `a=fmtp` line: the parameters of a format (RFC 8866 §6.15).
public struct FormatParameters: Sendable, Hashable {
    /// The format: for RTP, the payload type number.
    public let format: String
    /// The parameters as sent.
    public let raw: String
    /// The parsed parameters; parsed once, since they are read often.
    private let parts: [Part]

    private struct Part: Sendable, Hashable {
        var name: String
        var value: String?
    }

    /// Creates the parameters of a format.
    init(format: String, raw: String) {
        self.format = format
        self.raw = raw
        parts = TextSyntax.split(raw, at: ASCII.semicolon).compactMap { part in
            let part = TextSyntax.trim(part)
            guard !part.isEmpty else { return nil }
            let (name, value) = TextSyntax.pair(part)
            return Part(name: TextSyntax.trim(name), value: value.map { TextSyntax.trim($0) })
        }
    }

    /// The `name=value` pairs, separated by semicolons; the value is nil without `=`.
    public var parameters: [(name: String, value: String?)] { parts.map { ($0.name, $0.value) } }

    /// The value of the parameter named `name`, ignoring case.
    public subscript(name: String) -> String? {
        for index in parts.indices where ASCII.equalIgnoringCase(parts[index].name, name) { return parts[index].value }
        return nil
    }
}

/// An `a=fingerprint` line (RFC 8122 §5).
public struct SDPFingerprint: Sendable, Hashable {
    /// The hash function, such as `sha-256`.
    public var hash: String
    /// The digest: hexadecimal bytes separated by colons.
    public var value: String
}

/// An `a=extmap` line (RFC 8285 §5).
public struct ExtensionMap: Sendable, Hashable {
    /// The local identifier.
    public var id: Int
    /// The direction after the slash, if present.
    public var direction: String?
    /// The URI of the extension.
    public var uri: String
    /// The extension attributes after the URI.
    public var attributes: String?
}

/// An `a=rtcp-fb` line (RFC 4585 §4.2).
public struct RTCPFeedbackAttribute: Sendable, Hashable {
    /// The payload type number, or `*` for all.
    public var payloadType: String
    /// The feedback type, such as `nack`, `ccm`, `transport-cc`.
    public var type: String
    /// The feedback parameter, such as `pli`.
    public var parameter: String?
}

/// An `a=ssrc` line (RFC 5576 §4.1).
public struct SourceAttribute: Sendable, Hashable {
    /// The SSRC.
    public var ssrc: UInt32
    /// The name of the source attribute, such as `cname`.
    public var name: String
    /// The value of the source attribute.
    public var value: String?
}

/// An `a=crypto` line (RFC 4568 §4).
public struct CryptoAttribute: Sendable, Hashable {
    /// The tag, as sent.
    public var tag: String
    /// The cipher suite.
    public var suite: String
    /// The key parameters: secrets.
    public var keyParameters: String
    /// The session parameters.
    public var sessionParameters: [String]

    /// The base64 text of the inline key: a secret.
    public var inlineKey: String? {
        guard TextSyntax.hasPrefix(keyParameters, "inline:") else { return nil }
        return TextSyntax.pair(TextSyntax.pair(keyParameters, at: ASCII.colon).1 ?? "", at: 0x7C).0
    }
}

/// An `a=group` line (RFC 5888 §5): a group of media sections.
public struct MediaGroup: Sendable, Hashable {
    /// The semantics, such as `BUNDLE` or `LS`.
    public var semantics: String
    /// The `mid` values of the members.
    public var members: [String]
}

extension SessionDescription {
    /// The URI for aggregate control (RFC 2326 §C.1.1).
    public var control: String? { attributes.first("control") }
    /// The time range of the presentation (§C.1.5).
    public var range: RangeHeader? { attributes.first("range").flatMap(RangeHeader.init) }
    /// The default direction of media sections (RFC 8866 §6.7).
    public var direction: MediaDirection? { attributes.direction }
    /// Adds the group of an attribute, if it is `a=group`.
    mutating func noteGroup(_ attribute: SDPAttribute) {
        guard attribute.name == "group", let words = attribute.value.map({ TextSyntax.words($0) }),
            let semantics = words.first
        else { return }
        let group = MediaGroup(semantics: semantics, members: Array(words.dropFirst()))
        groups.append(group)
        guard semantics == "BUNDLE" else { return }
        carried.formUnion(group.members.dropFirst().filter { $0 != group.members.first })
    }

    /// The members of the first `BUNDLE` group (RFC 9143).
    public var bundle: [String] { groups.first { $0.semantics == "BUNDLE" }?.members ?? [] }
    /// Whether the endpoint is ICE lite (RFC 8839 §5.3).
    public var isICELite: Bool { attributes.has("ice-lite") }
    /// The default ICE user name fragment of media sections (RFC 8839 §5.4).
    public var iceUfrag: String? { attributes.first("ice-ufrag") }
    /// The default ICE password of media sections: a secret.
    public var icePwd: String? { attributes.first("ice-pwd") }
    /// The default DTLS fingerprints of media sections (RFC 8122 §5).
    public var fingerprints: [SDPFingerprint] { attributes.fingerprints }
    /// The default DTLS role of media sections (RFC 4145 §4).
    public var setup: String? { attributes.first("setup") }
}

extension MediaDescription {
    /// The control URI of the medium (RFC 2326 §C.1.1).
    public var control: String? { attributes.first("control") }
    /// The direction (RFC 8866 §6.7).
    public var direction: MediaDirection? { attributes.direction }
    /// The packet duration in milliseconds (§6.4).
    public var ptime: Double? { attributes.first("ptime").flatMap { TextSyntax.number(TextSyntax.trim($0)) } }
    /// The maximum packet duration in milliseconds (§6.5).
    public var maxptime: Double? { attributes.first("maxptime").flatMap { TextSyntax.number(TextSyntax.trim($0)) } }
    /// The frame rate in frames per second (§6.13).
    public var framerate: Double? { attributes.first("framerate").flatMap { TextSyntax.number(TextSyntax.trim($0)) } }
    /// The media identification tag (RFC 5888 §4).
    public var mid: String? { attributes.first("mid") }
    /// The RTCP port, and the address if present (RFC 3605 §2.1).
    public var rtcp: (port: UInt16, address: String?)? {
        guard let words = attributes.first("rtcp").map({ TextSyntax.words($0) }), let first = words.first,
            let port = TextSyntax.decimal(first, as: UInt16.self)
        else { return nil }
        return (port, words.count > 3 ? words[3] : nil)
    }
    /// Whether RTP and RTCP share a port (RFC 5761 §5.1.1).
    public var rtcpMux: Bool { attributes.has("rtcp-mux") }
    /// The supported RTCP feedback (RFC 4585 §4.2).
    public var rtcpFeedback: [RTCPFeedbackAttribute] {
        attributes.all("rtcp-fb").compactMap(RTCPFeedbackAttribute.init)
    }
    /// The RTP header extensions (RFC 8285 §5).
    public var extensionMaps: [ExtensionMap] { attributes.all("extmap").compactMap(ExtensionMap.init) }
    /// The source attributes (RFC 5576 §4.1).
    public var sources: [SourceAttribute] { attributes.all("ssrc").compactMap(SourceAttribute.init) }
    /// The ICE user name fragment (RFC 8839 §5.4).
    public var iceUfrag: String? { attributes.first("ice-ufrag") }
    /// The ICE password: a secret.
    public var icePwd: String? { attributes.first("ice-pwd") }
    /// The ICE candidates (RFC 8839 §5.1).
    public var candidates: [ICECandidate] { attributes.all("candidate").compactMap(ICECandidate.init) }
    /// Whether the candidates are complete (RFC 8840).
    public var endOfCandidates: Bool { attributes.has("end-of-candidates") }
    /// The DTLS fingerprints (RFC 8122 §5).
    public var fingerprints: [SDPFingerprint] { attributes.fingerprints }
    /// The DTLS role (RFC 4145 §4).
    public var setup: String? { attributes.first("setup") }
    /// The SRTP keys (RFC 4568 §4): secrets.
    public var crypto: [CryptoAttribute] { attributes.all("crypto").compactMap(CryptoAttribute.init) }
    /// The restriction identifiers of RTP streams, as sent.
    public var rids: [String] { attributes.all("rid") }
    /// The simulcast description, as sent.
    public var simulcast: String? { attributes.first("simulcast") }
    /// The identifiers of media stream and track, as sent.
    public var msid: String? { attributes.first("msid") }
    /// Whether the protocol is of the `RTP` family.
    public var isRTP: Bool {
        // The common case first.
        proto == "RTP/AVP" || proto.utf8.split(separator: ASCII.slash).contains { $0.elementsEqual("RTP".utf8) }
    }

    /// Returns the encoding of a payload type: its first `a=rtpmap`, else the static assignment of RFC 3551 §6.
    public func rtpMap(_ payloadType: UInt8) -> RTPMap? {
        rtpMaps.first { $0.payloadType == payloadType }
            ?? StaticPayloadTypes.all[payloadType].map { format in
                RTPMap(
                    payloadType: payloadType, encoding: format.encoding, clockRate: format.clockRate,
                    parameters: format.channels > 1 ? String(format.channels) : nil)
            }
    }

    /// Returns the parameters of a payload type.
    public func formatParameters(_ payloadType: UInt8) -> FormatParameters? {
        let format = String(payloadType)
        return formatParameters.first { $0.format == format }
    }

    /// The payload types of the `m=` line.
    public var payloadTypes: [UInt8] {
        formats.compactMap { TextSyntax.decimal($0, as: UInt8.self) }.filter { $0 < 128 }
    }
}
