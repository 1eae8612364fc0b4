import WeirPackets

/// One transport specification of a `Transport` header (RFC 2326 §12.39, RFC 7826 §18.54).
public struct TransportSpec: Sendable, Hashable {
    /// The transport protocol below the media protocol.
    public enum LowerTransport: Sendable, Hashable {
        /// UDP, also the default with RTP.
        case udp
        /// TCP.
        case tcp
        /// Any other, as sent.
        case other(String)
    }

    /// Unicast or multicast delivery.
    public enum Delivery: String, Sendable, Hashable {
        /// Delivery to one receiver.
        case unicast
        /// Delivery to a group.
        case multicast
    }

    /// A parameter as sent.
    public struct Parameter: Sendable, Hashable {
        /// The name, without white space.
        public var name: String
        /// The text after `=`, including quotation marks, or nil without `=`.
        public var value: String?
    }

    /// An address of `src_addr` or `dest_addr` (RFC 7826 §18.54).
    public struct Address: Sendable, Hashable {
        /// The host, or nil if only a port is given.
        public var host: String?
        /// The port, if given.
        public var port: UInt16?
    }

    /// The specification as sent, without surrounding white space.
    public var raw: String
    /// The media protocol, such as `RTP`.
    public var protocolName = ""
    /// The profile, such as `AVP` or `SAVP`; empty when missing.
    public var profile = ""
    /// The lower transport; UDP by default.
    public var lowerTransport = LowerTransport.udp
    /// The lower transport as sent, or nil if omitted.
    public var lowerTransportText: String?
    /// The delivery, or nil if unspecified, which means multicast (RFC 2326 §12.39).
    public var delivery: Delivery?
    /// The destination address of the media.
    public var destination: String?
    /// The source address of the media.
    public var source: String?
    /// The interleaved channels.
    public var interleaved: ClosedRange<UInt8>?
    /// The TTL of multicast packets.
    public var ttl: Int?
    /// The number of multicast layers.
    public var layers: Int?
    /// The ports of a multicast session.
    public var port: ClosedRange<UInt16>?
    /// The client ports.
    public var clientPort: ClosedRange<UInt16>?
    /// The server ports.
    public var serverPort: ClosedRange<UInt16>?
    /// The first SSRC, parsed leniently from one to eight digits.
    public var ssrc: UInt32?
    /// All SSRCs; RTSP 2.0 may list several, separated by `/`.
    public var ssrcs: [UInt32] = []
    /// `ssrc` as sent.
    public var ssrcText: String?
    /// The methods the transport is for, in upper case: `PLAY`, `RECORD`; empty without `mode`.
    public var modes: [String] = []
    /// Whether recorded media is appended.
    public var append = false
    /// The addresses of RTSP 2.0 `src_addr`.
    public var sourceAddresses: [Address] = []
    /// The addresses of RTSP 2.0 `dest_addr`.
    public var destinationAddresses: [Address] = []
    /// RTSP 2.0 `setup`: which side opens the connection.
    public var setup: String?
    /// RTSP 2.0 `connection`: `new` or `existing`.
    public var connection: String?
    /// Whether RTSP 2.0 `RTCP-mux` is present.
    public var rtcpMux = false
    /// The deviations from the grammar.
    public var oddities: Oddities = []

    /// Whether `multicast` is specified.
    public var isMulticast: Bool { delivery == .multicast }
    /// Whether `unicast` is specified.
    public var isUnicast: Bool { delivery == .unicast }
    /// Whether the client sends the media.
    public var isRecord: Bool { modes.contains("RECORD") }
    /// The transport identifier without parameters, such as `RTP/AVP/UDP`.
    public var identifier: String {
        ([protocolName] + (profile.isEmpty ? [] : [profile]) + (lowerTransportText.map { [$0] } ?? []))
            .joined(separator: "/")
    }

    /// All parameters as sent, in order, including unknown ones; parsed when they are needed, which is seldom.
    public var parameters: [Parameter] {
        let octets = Array(raw.utf8)
        var parts = TextSyntax.parts(of: octets, at: ASCII.semicolon)
        _ = parts.next()
        var parameters: [Parameter] = []
        while let part = parts.next() {
            guard !part.isEmpty else { continue }
            let sent = SentParameter(octets, part)
            parameters.append(
                Parameter(
                    name: TextSyntax.text(octets, sent.name), value: sent.value.map { TextSyntax.text(octets, $0) }))
        }
        return parameters
    }

    /// Names of parameters that RFC 2326 and RFC 7826 do not define.
    public var unknownParameters: [String] {
        parameters.map(\.name).filter { ParameterName(Array($0.utf8), 0..<$0.utf8.count) == nil }
    }

    /// Parses the specifications of a `Transport` value, in order of preference.
    public static func list(_ value: String) -> [SharedValue<TransportSpec>] {
        guard value.hasOctet(ASCII.comma) else {
            let text = TextSyntax.trim(value)
            return text.isEmpty ? [] : [SharedValue(TransportSpec(text))]
        }
        var specs: [SharedValue<TransportSpec>] = []
        for text in TextSyntax.split(value, at: ASCII.comma) {
            let text = TextSyntax.trim(text)
            if !text.isEmpty { specs.append(SharedValue(TransportSpec(text))) }
        }
        return specs
    }

    /// Parses one specification; never fails.
    public init(_ text: String) {
        raw = text
        let octets = Array(text.utf8)
        var parts = TextSyntax.parts(of: octets, at: ASCII.semicolon)
        readIdentifier(octets, parts.next() ?? 0..<0)
        var seen = Seen()
        while let part = parts.next() {
            if part.isEmpty { oddities.insert(.emptyParameter) } else { read(octets, part, &seen) }
        }
    }

    private mutating func readIdentifier(_ octets: [UInt8], _ range: Range<Int>) {
        // The common case.
        if octets[range].elementsEqual(Self.usualIdentifier) {
            (protocolName, profile) = ("RTP", "AVP")
            return
        }
        let names = TextSyntax.split(TextSyntax.text(octets, range), at: ASCII.slash)
        protocolName = names.first ?? ""
        // Media other than RTP has no profile: x-pn-tng/tcp.
        let hasProfile = names.count != 2 || ASCII.equalIgnoringCase(names[0], "RTP") || !Self.isLower(names[1])
        profile = hasProfile && names.count > 1 ? names[1] : ""
        let lower = names.dropFirst(hasProfile ? 2 : 1)
        lowerTransportText = lower.isEmpty ? nil : lower.joined(separator: "/")
        switch lowerTransportText.map(TextSyntax.uppercased) {
        case nil, "UDP"?: lowerTransport = .udp
        case "TCP"?: lowerTransport = .tcp
        case let other?: lowerTransport = .other(other)
        }
        if !(2...3).contains(names.count) || names.contains(where: \.isEmpty) { oddities.insert(.identifier) }
    }

    private static let usualIdentifier = Array("RTP/AVP".utf8)

    /// The parameter names so far: specified ones as bits, others compared one by one while there are few.
    private struct Seen {
        private static let most = 16
        private var specified: UInt32 = 0
        private var few: [String] = []
        private var many: Set<String> = []

        mutating func isNew(_ name: ParameterName) -> Bool {
            let bit: UInt32 = 1 << UInt32(name.rawValue)
            defer { specified |= bit }
            return specified & bit == 0
        }

        mutating func isNew(_ name: String) -> Bool {
            guard many.isEmpty else { return many.insert(name).inserted }
            guard !few.contains(name) else { return false }
            few.append(name)
            if few.count > Self.most { many = Set(few) }
            return true
        }
    }

    private static func isLower(_ name: String) -> Bool {
        ASCII.equalIgnoringCase(name, "TCP") || ASCII.equalIgnoringCase(name, "UDP")
    }

    /// Where a parameter is in the octets of its specification.
    private struct SentParameter {
        /// The name, without white space around it.
        let name: Range<Int>
        /// The text after `=` without white space around it, or nil without `=`.
        let value: Range<Int>?
        /// Whether the text after `=` begins or ends with white space.
        let isPadded: Bool

        init(_ octets: [UInt8], _ part: Range<Int>) {
            (name, value) = TextSyntax.pair(octets, part)
            // The parameter has no white space at its end.
            isPadded =
                value.map { $0.lowerBound > part.lowerBound && octets[$0.lowerBound &- 1] != ASCII.equals } ?? false
        }
    }

    /// Parses the parameter at `part` of the specification.
    private mutating func read(_ octets: [UInt8], _ part: Range<Int>, _ seen: inout Seen) {
        let sent = SentParameter(octets, part)
        // Most have none at all.
        if Self.has(TextSyntax.isTrimmed, octets, part) {
            let isQuoted = sent.value.map { octets[$0].first == ASCII.quote } ?? true
            if sent.isPadded || Self.has(TextSyntax.isBlank, octets, sent.name)
                || (!isQuoted && sent.value.map { Self.has(TextSyntax.isBlank, octets, $0) } == true)
            {
                oddities.insert(.blankInParameter)
            }
        }
        guard let name = ParameterName(octets, sent.name) else {
            let isNew = seen.isNew(TextSyntax.lowercased(TextSyntax.text(octets, sent.name)))
            if !isNew { oddities.insert(.repeatedParameter) }
            return
        }
        guard seen.isNew(name) else {
            oddities.insert(.repeatedParameter)
            return
        }
        set(name, SentValue(octets: octets, range: sent.value))
    }

    /// The text after `=`. A string is made only of what is kept as one.
    private struct SentValue {
        let octets: [UInt8]
        let range: Range<Int>?

        /// The text as sent.
        var text: String? { range.map { TextSyntax.text(octets, $0) } }
        /// The text without quotation marks.
        var plain: String? { text.map(TextSyntax.unquote) }
        /// The text without quotation marks, unless that is empty.
        var filled: String? { plain?.isEmpty == true ? nil : plain }
        /// Whether the text begins with a quotation mark.
        var isQuoted: Bool { range.map { octets[$0].first == ASCII.quote } ?? false }
    }

    private mutating func set(_ name: ParameterName, _ value: SentValue) {
        switch name {
        case .clientPort: clientPort = range(value)
        case .serverPort: serverPort = range(value)
        case .unicast: readDelivery(.unicast)
        case .interleaved: interleaved = range(value)
        case .ssrc: readSSRC(value.plain)
        case .mode:
            if !value.isQuoted { oddities.insert(.modeUnquoted) }
            modes = TextSyntax.split(value.plain ?? "", at: ASCII.comma)
                .map { TextSyntax.uppercased(TextSyntax.trim($0)) }.filter { !$0.isEmpty }
        case .destination: destination = value.filled
        case .source: source = value.filled
        case .multicast: readDelivery(.multicast)
        case .port: port = range(value)
        case .ttl: ttl = number(value.plain, most: 255)
        case .layers: layers = number(value.plain, most: Int(Int32.max))
        case .append: append = true
        case .sourceAddress: sourceAddresses = addresses(value.text)
        case .destinationAddress: destinationAddresses = addresses(value.text)
        case .setup: setup = value.plain
        case .connection: connection = value.plain
        case .rtcpMux: rtcpMux = true
        case .mikey: break
        }
    }

    private mutating func readDelivery(_ sent: Delivery) {
        if delivery != nil { oddities.insert(.bothDeliveries) } else { delivery = sent }
    }

    /// Whether a part has an octet of a kind.
    @inline(__always)
    private static func has(_ kind: (UInt8) -> Bool, _ octets: [UInt8], _ part: Range<Int>) -> Bool {
        for index in part where kind(octets[index]) { return true }
        return false
    }

    private mutating func number(_ text: String?, most: Int) -> Int? {
        guard let number = text.flatMap({ TextSyntax.decimal($0) }), number <= most else {
            oddities.insert(.number)
            return nil
        }
        return number
    }

    private mutating func range<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: SentValue
    ) -> ClosedRange<Number>? {
        if let sent = value.range, let plain = Self.plainRange(value.octets, sent, as: Number.self) { return plain }
        let text = value.plain ?? ""
        if let plain = Self.plainRange(Array(text.utf8), 0..<text.utf8.count, as: Number.self) { return plain }
        let (first, second) = TextSyntax.pair(text, at: 0x2D)
        guard let lower = TextSyntax.decimal(TextSyntax.trim(first), as: Number.self) else {
            oddities.insert(.number)
            return nil
        }
        guard let second else { return lower...lower }
        guard let upper = TextSyntax.decimal(TextSyntax.trim(second), as: Number.self) else {
            oddities.insert(.number)
            return lower...lower
        }
        guard lower <= upper else {
            oddities.insert(.reversedRange)
            return lower...lower
        }
        return lower...upper
    }

    /// Parses a number, or two ascending numbers separated by `-`: the common case.
    private static func plainRange<Number: FixedWidthInteger & UnsignedInteger>(
        _ octets: [UInt8], _ range: Range<Int>, as: Number.Type
    ) -> ClosedRange<Number>? {
        var numbers: (first: Int?, second: Int) = (nil, 0)
        var digits = 0
        for index in range {
            let octet = octets[index]
            if ASCII.isDigit(octet) {
                numbers.second = numbers.second &* 10 &+ Int(octet & 15)
                digits &+= 1
                guard digits < 10 else { return nil }
            } else {
                guard octet == 0x2D, digits > 0, numbers.first == nil else { return nil }
                numbers = (numbers.second, 0)
                digits = 0
            }
        }
        guard digits > 0, let last = Number(exactly: numbers.second),
            let first = Number(exactly: numbers.first ?? numbers.second), first <= last
        else { return nil }
        return first...last
    }

    private mutating func readSSRC(_ text: String?) {
        ssrcText = text
        if let text, text.utf8.count == 8, let value = TextSyntax.hexadecimal(text, as: UInt32.self) {
            (ssrcs, ssrc) = ([value], value)
            return
        }
        for part in (text ?? "").split(separator: "/", omittingEmptySubsequences: false) {
            let digits = part.utf8.filter { !TextSyntax.isBlank($0) }
            let value = TextSyntax.hexadecimal(String(decoding: digits, as: UTF8.self), as: UInt32.self)
            if digits.count != 8 || value == nil || part.utf8.count != 8 { oddities.insert(.ssrcDigits) }
            if let value { ssrcs.append(value) }
        }
        ssrc = ssrcs.first
    }

    /// Parses `"host:port"/"host:port"` (RFC 7826 §20.2.3); the host may be empty, IPv6 hosts are bracketed.
    private func addresses(_ text: String?) -> [Address] {
        TextSyntax.split(text ?? "", at: ASCII.slash).map { part in
            let plain = TextSyntax.unquote(TextSyntax.trim(part))
            guard let colon = plain.utf8.lastIndex(of: ASCII.colon), !plain.hasSuffix("]") else {
                return Address(host: plain.isEmpty ? nil : plain, port: nil)
            }
            let host = plain[..<colon].filter { $0 != "[" && $0 != "]" }
            return Address(
                host: host.isEmpty ? nil : host,
                port: TextSyntax.decimal(plain[plain.utf8.index(after: colon)...], as: UInt16.self))
        }
    }
}
