import WeirPackets

/// One transport specification of a `Transport` header (RFC 2326 §12.39, RFC 7826 §18.54).
public struct TransportSpec: Sendable, Hashable {
    /// What carries the media below its protocol.
    public enum LowerTransport: Sendable, Hashable {
        /// UDP: also what is meant when nothing is said with RTP.
        case udp
        /// TCP.
        case tcp
        /// Something else, as sent.
        case other(String)
    }

    /// To one receiver or to a group.
    public enum Delivery: String, Sendable, Hashable {
        /// To one receiver.
        case unicast
        /// To a group.
        case multicast
    }

    /// A parameter as sent.
    public struct Parameter: Sendable, Hashable {
        /// Its name, without blanks.
        public var name: String
        /// What stands after `=`, quotation marks included; nil when there is no `=`.
        public var value: String?
    }

    /// An address of `src_addr` or `dest_addr` (RFC 7826 §18.54).
    public struct Address: Sendable, Hashable {
        /// The host; nil when only a port is given.
        public var host: String?
        /// The port, if given.
        public var port: UInt16?
    }

    /// What departs from the grammar; the specification was used all the same.
    public struct Oddities: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt16
        /// Creates a set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// It ends in `;`, or an empty parameter stands between two.
        public static let emptyParameter = Self(rawValue: 1)
        /// A blank stands inside a parameter.
        public static let blankInParameter = Self(rawValue: 1 << 1)
        /// `ssrc` is not eight hexadecimal digits.
        public static let ssrcDigits = Self(rawValue: 1 << 2)
        /// `mode` has no quotation marks (the RFC's own example in §14.6 has none either).
        public static let modeUnquoted = Self(rawValue: 1 << 3)
        /// A port, channel, TTL or layer count is not a number of its range.
        public static let number = Self(rawValue: 1 << 4)
        /// A range's end is before its start.
        public static let reversedRange = Self(rawValue: 1 << 5)
        /// A parameter is given twice; the first counts.
        public static let repeatedParameter = Self(rawValue: 1 << 6)
        /// Both `unicast` and `multicast` are given.
        public static let bothDeliveries = Self(rawValue: 1 << 7)
        /// The transport identifier is not `protocol/profile[/lower-transport]`.
        public static let identifier = Self(rawValue: 1 << 8)
    }

    /// The specification as sent, without blanks around it.
    public var raw: String
    /// The media protocol, such as `RTP`.
    public var protocolName = ""
    /// The profile, such as `AVP` or `SAVP`; empty when missing.
    public var profile = ""
    /// What carries the media: as said, or UDP.
    public var lowerTransport = LowerTransport.udp
    /// The lower transport as sent; nil when left out.
    public var lowerTransportText: String?
    /// `unicast` or `multicast`; nil when neither is said, which means multicast (RFC 2326 §12.39).
    public var delivery: Delivery?
    /// The address the media goes to.
    public var destination: String?
    /// The address the media comes from.
    public var source: String?
    /// Channels of interleaved media.
    public var interleaved: ClosedRange<UInt8>?
    /// Time to live of multicast packets.
    public var ttl: Int?
    /// Number of multicast layers.
    public var layers: Int?
    /// Ports of a multicast session.
    public var port: ClosedRange<UInt16>?
    /// Ports of the client.
    public var clientPort: ClosedRange<UInt16>?
    /// Ports of the server.
    public var serverPort: ClosedRange<UInt16>?
    /// The first SSRC; read leniently from one to eight digits.
    public var ssrc: UInt32?
    /// All SSRCs: RTSP 2.0 may list several, separated by `/`.
    public var ssrcs: [UInt32] = []
    /// `ssrc` as sent.
    public var ssrcText: String?
    /// The methods the media is for, upper case: `PLAY`, `RECORD`; empty when `mode` is missing.
    public var modes: [String] = []
    /// Recorded media is to be appended.
    public var append = false
    /// RTSP 2.0 `src_addr`.
    public var sourceAddresses: [Address] = []
    /// RTSP 2.0 `dest_addr`.
    public var destinationAddresses: [Address] = []
    /// RTSP 2.0 `setup`: who opens the connection.
    public var setup: String?
    /// RTSP 2.0 `connection`: `new` or `existing`.
    public var connection: String?
    /// RTSP 2.0 `RTCP-mux`.
    public var rtcpMux = false
    /// All parameters as sent, in order, known or not.
    public var parameters: [Parameter] = []
    /// What departs from the grammar.
    public var oddities: Oddities = []

    /// Whether it says `multicast`.
    public var isMulticast: Bool { delivery == .multicast }
    /// Whether it says `unicast`.
    public var isUnicast: Bool { delivery == .unicast }
    /// Whether the client sends the media.
    public var isRecord: Bool { modes.contains("RECORD") }
    /// Transport identifier without parameters, such as `RTP/AVP/UDP`.
    public var identifier: String {
        ([protocolName] + (profile.isEmpty ? [] : [profile]) + (lowerTransportText.map { [$0] } ?? []))
            .joined(separator: "/")
    }

    /// Names of parameters that no specification here defines.
    public var unknownParameters: [String] {
        parameters.map(\.name).filter { !Self.known.contains(TextSyntax.lowercased($0)) }
    }

    private static let known: Set<String> = [
        "unicast", "multicast", "destination", "source", "interleaved", "append", "ttl", "layers", "port",
        "client_port", "server_port", "ssrc", "mode", "src_addr", "dest_addr", "setup", "connection", "rtcp-mux",
        "mikey",
    ]

    /// The specifications of a `Transport` value, in order of preference.
    public static func list(_ value: String) -> [TransportSpec] {
        TextSyntax.split(value, at: ASCII.comma).map(TextSyntax.trim).filter { !$0.isEmpty }.map(TransportSpec.init)
    }

    /// Reads one specification; whatever it holds, there is a value.
    public init(_ text: String) {
        raw = text
        let octets = Array(text.utf8)
        var parts = TextSyntax.parts(of: octets, at: ASCII.semicolon)
        readIdentifier(TextSyntax.text(octets, parts.next() ?? 0..<0))
        var seen = Seen()
        while let part = parts.next() {
            if part.isEmpty { oddities.insert(.emptyParameter) } else { read(octets, part, &seen) }
        }
    }

    private mutating func readIdentifier(_ identifier: String) {
        let names = TextSyntax.split(identifier, at: ASCII.slash)
        protocolName = names.first ?? ""
        // Media that is not RTP has no profile: x-pn-tng/tcp.
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

    /// The names of parameters so far: of a few each is compared.
    private struct Seen {
        private static let most = 16
        private var few: [String] = []
        private var many: Set<String> = []

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

    /// Reads the parameter that stands at `part` of the specification.
    private mutating func read(_ octets: [UInt8], _ part: Range<Int>, _ seen: inout Seen) {
        let equals = octets[part].firstIndex(of: ASCII.equals)
        let nameRange = TextSyntax.trim(part.lowerBound..<(equals ?? part.upperBound), of: octets)
        let sent = equals.map { $0 + 1..<part.upperBound }
        let valueRange = sent.map { TextSyntax.trim($0, of: octets) }
        let name = TextSyntax.text(octets, nameRange)
        let value = valueRange.map { TextSyntax.text(octets, $0) }
        parameters.append(Parameter(name: name, value: value))
        let isQuoted = valueRange.map { octets[$0].first == ASCII.quote } ?? true
        if sent != valueRange || octets[nameRange].contains(where: TextSyntax.isBlank)
            || (!isQuoted && valueRange.map { octets[$0].contains(where: TextSyntax.isBlank) } == true)
        {
            oddities.insert(.blankInParameter)
        }
        let key = TextSyntax.lowercased(name)
        guard seen.isNew(key) else {
            oddities.insert(.repeatedParameter)
            return
        }
        let plain = value.map(TextSyntax.unquote)
        switch key {
        case "unicast", "multicast":
            if delivery != nil { oddities.insert(.bothDeliveries) } else { delivery = Delivery(rawValue: key) }
        case "destination": destination = plain?.isEmpty == true ? nil : plain
        case "source": source = plain?.isEmpty == true ? nil : plain
        case "interleaved": interleaved = range(plain)
        case "port": port = range(plain)
        case "client_port": clientPort = range(plain)
        case "server_port": serverPort = range(plain)
        case "ttl": ttl = number(plain, most: 255)
        case "layers": layers = number(plain, most: Int(Int32.max))
        case "append": append = true
        case "ssrc": readSSRC(plain)
        case "mode":
            if value?.first != "\"" { oddities.insert(.modeUnquoted) }
            modes = TextSyntax.split(plain ?? "", at: ASCII.comma).map { TextSyntax.uppercased(TextSyntax.trim($0)) }
                .filter { !$0.isEmpty }
        case "src_addr": sourceAddresses = addresses(value)
        case "dest_addr": destinationAddresses = addresses(value)
        case "setup": setup = plain
        case "connection": connection = plain
        case "rtcp-mux": rtcpMux = true
        default: break
        }
    }

    private mutating func number(_ text: String?, most: Int) -> Int? {
        guard let number = text.flatMap({ TextSyntax.decimal($0) }), number <= most else {
            oddities.insert(.number)
            return nil
        }
        return number
    }

    private mutating func range<Number: FixedWidthInteger & UnsignedInteger>(_ text: String?) -> ClosedRange<Number>? {
        if let text, let plain = Self.plainRange(text, as: Number.self) { return plain }
        let (first, second) = TextSyntax.pair(text ?? "", at: 0x2D)
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

    /// One number, or two in order with nothing but `-` between them, as nearly all are.
    private static func plainRange<Number: FixedWidthInteger & UnsignedInteger>(
        _ text: String, as: Number.Type
    ) -> ClosedRange<Number>? {
        var numbers: (first: Int?, second: Int) = (nil, 0)
        var digits = 0
        for octet in text.utf8 {
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
        for part in (text ?? "").split(separator: "/", omittingEmptySubsequences: false) {
            let digits = part.utf8.filter { !TextSyntax.isBlank($0) }
            let value = TextSyntax.hexadecimal(String(decoding: digits, as: UTF8.self), as: UInt32.self)
            if digits.count != 8 || value == nil || part.utf8.count != 8 { oddities.insert(.ssrcDigits) }
            if let value { ssrcs.append(value) }
        }
        ssrc = ssrcs.first
    }

    /// `"host:port"/"host:port"` (RFC 7826 §20.2.3); a host may be empty, an IPv6 host stands in brackets.
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
