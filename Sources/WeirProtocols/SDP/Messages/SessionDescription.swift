public import WeirEngine

/// A session description (RFC 8866): all lines, typed where possible.
///
/// Parsing never fails: deviations from the grammar are listed in `problems`, and the rest is used.
public struct SessionDescription: Message, Equatable {
    /// The role of a description.
    public enum Role: String, Sendable, Hashable {
        /// An offer of media (RFC 3264).
        case offer
        /// An answer to an offer.
        case answer
        /// Available media of a server, or media that a client is about to record.
        case presentation
    }

    /// The version of the `v=` line (§5.1), or nil if missing or not a number.
    public var version: Int?
    /// The `o=` line (§5.2).
    public var origin: SDPOrigin?
    /// The `s=` line (§5.3).
    public var name: String?
    /// The `i=` line (§5.4).
    public var information: String?
    /// The `u=` line (§5.5).
    public var uri: String?
    /// The `e=` lines (§5.6).
    public var emails: [String] = []
    /// The `p=` lines (§5.6).
    public var phones: [String] = []
    /// The `c=` line at session level (§5.7).
    public var connection: SDPConnection?
    /// The `b=` lines at session level (§5.8).
    public var bandwidths: [SDPBandwidth] = []
    /// The `t=` lines with their `r=` lines (§5.9, §5.10).
    public var times: [SDPTime] = []
    /// The `z=` line (§5.11).
    public var timeZones: String?
    /// The `k=` line at session level (§5.12); may contain a secret.
    public var key: String?
    /// The `a=` lines at session level (§5.13).
    public var attributes: [SDPAttribute] = []
    /// The media groups (RFC 5888).
    public internal(set) var groups: [MediaGroup] = []
    /// The tags in `BUNDLE` groups, except the first of each group.
    var carried: Set<String> = []
    /// The media descriptions (§5.14).
    public var media: [MediaDescription] = []
    /// The deviations from the grammar, in line order; missing lines come last.
    public var problems: [SDPProblem] = []
    /// The role, if known.
    public var role: Role?
    /// What equal descriptions share.
    package var shared = DescriptionTemplateReference()

    /// Creates an empty description.
    package init() {}
}

/// The `o=` line: the originator of the description (RFC 8866 §5.2).
public struct SDPOrigin: Sendable, Hashable {
    /// The user's name on the originating host, or `-`.
    public var username: String
    /// The session ID, in decimal digits.
    public var sessionId: String
    /// The version of the description, in decimal digits.
    public var sessionVersion: String
    /// The network type, `IN`.
    public var netType: String
    /// The address type, `IP4` or `IP6`.
    public var addrType: String
    /// The address or name, or nil if missing.
    public var address: String?
}

/// A `c=` line: the connection address (RFC 8866 §5.7).
public struct SDPConnection: Sendable, Hashable {
    /// The network type, `IN`.
    public var netType: String
    /// The address type, `IP4` or `IP6`.
    public var addrType: String
    /// The address or name without the part after a slash, or nil if missing.
    public var address: String?
    /// The TTL of IPv4 multicast.
    public var ttl: Int?
    /// The number of contiguous multicast addresses.
    public var count: Int?
}

/// A `b=` line (RFC 8866 §5.8).
public struct SDPBandwidth: Sendable, Hashable {
    /// The bandwidth type: `AS`, `CT`, `TIAS`, `RS`, `RR`.
    public var type: String
    /// The limit: kbit/s for `AS` and `CT`, bit/s for `TIAS`, `RS` and `RR`; nil if not a number.
    public var value: Int?
}

/// A `t=` line and the `r=` lines after it (RFC 8866 §5.9, §5.10).
public struct SDPTime: Sendable, Hashable {
    /// The start, in seconds since 1900; 0 means always.
    public var start: String
    /// The stop, in seconds since 1900; 0 means never; nil if missing.
    public var stop: String?
    /// The values of the `r=` lines.
    public var repeats: [String] = []
}

/// An `a=` line (RFC 8866 §5.13).
public struct SDPAttribute: Sendable, Hashable {
    /// The name; case-sensitive.
    public var name: String
    /// The value after the colon, or nil for a property attribute.
    public var value: String?
    /// The line number in the description, from 1.
    public var line: Int
}

/// An `m=` line and the lines of its section (RFC 8866 §5.14).
public struct MediaDescription: Sendable, Hashable {
    /// The media type: `audio`, `video`, `application`, ….
    public var type: String
    /// The port; 0 in presentations and for rejected media; nil if not a port number.
    public var port: UInt16?
    /// The number of port pairs, if present.
    public var portCount: Int?
    /// The transport protocol, such as `RTP/AVP`.
    public var proto: String
    /// The formats: for RTP, the payload type numbers.
    public var formats: [String]
    /// The `i=` line.
    public var title: String?
    /// The `c=` lines.
    public var connections: [SDPConnection] = []
    /// The `b=` lines.
    public var bandwidths: [SDPBandwidth] = []
    /// The `k=` line; may contain a secret.
    public var key: String?
    /// The `a=` lines.
    public internal(set) var attributes: [SDPAttribute] = []
    /// The `a=rtpmap` lines in order (RFC 8866 §6.6), without malformed ones.
    public private(set) var rtpMaps: [RTPMap] = []
    /// The `a=fmtp` lines in order (RFC 8866 §6.15).
    public private(set) var formatParameters: [FormatParameters] = []
    /// The line number of the `m=` line in the description, from 1.
    public var line: Int

    init(type: String, port: UInt16?, portCount: Int?, proto: String, formats: [String], line: Int) {
        self.type = type
        self.port = port
        self.portCount = portCount
        self.proto = proto
        self.formats = formats
        self.line = line
    }

    /// Adds an `a=` line; format attributes, which are read often, are parsed at once.
    mutating func add(_ attribute: SDPAttribute) {
        attributes.append(attribute)
        switch attribute.name {
        case "rtpmap": if let map = RTPMap(attribute.value ?? "") { rtpMaps.append(map) }
        case "fmtp": if let parameters = FormatParameters(attribute.value ?? "") { formatParameters.append(parameters) }
        default: break
        }
    }
}

/// A deviation from the grammar or from a rule for single lines that does not prevent parsing.
public struct SDPProblem: Sendable, Hashable {
    /// The kind of deviation.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The `v=` line is missing or not the first.
        case versionMissing
        /// The version is not 0.
        case versionNotZero
        /// There is no `o=` line.
        case originMissing
        /// `o=` does not have six fields.
        case originFieldCount
        /// `o=` has no address.
        case originAddressMissing
        /// The address of `o=` does not match its type.
        case originAddressInvalid
        /// The session ID or version of `o=` is not a number.
        case originNumber
        /// There is no `s=` line.
        case nameMissing
        /// `s=` is empty.
        case nameEmpty
        /// There is no `t=` line.
        case timeMissing
        /// `t=` is not two numbers.
        case timeMalformed
        /// Neither the session nor this medium has a `c=` line.
        case connectionMissing
        /// `c=` does not have three fields.
        case connectionFieldCount
        /// `c=` has no address.
        case connectionAddressMissing
        /// The address of `c=` does not match its type.
        case connectionAddressInvalid
        /// An IPv4 multicast address has no TTL.
        case connectionTTLMissing
        /// The TTL is not 0 to 255, or the number of addresses is not a positive number.
        case connectionTTLInvalid
        /// An IPv6 multicast address has a TTL (more than one slash).
        case connectionTTLOnIPv6
        /// A unicast address has a slash.
        case connectionSlashOnUnicast
        /// The line is out of order.
        case order
        /// A line that must be unique is repeated; the first is used.
        case repeated
        /// The line is not of the form `<type>=<value>`.
        case notTypeValue
        /// There is white space before `=`.
        case blankBeforeEquals
        /// There is white space after `=`, which the value must not start with.
        case blankAfterEquals
        /// The line ends with white space, which the value must not.
        case trailingBlank
        /// There are two spaces between fields.
        case doubleBlank
        /// There is an empty line between lines.
        case emptyLine
        /// The type is not defined in RFC 8866, or not allowed in a media description.
        case unknownType
        /// The value is empty.
        case emptyValue
        /// The line ends in LF alone.
        case lineFeedOnly
        /// The line ends in CR alone.
        case carriageReturnOnly
        /// The last line is not terminated.
        case noFinalLineEnd
        /// `m=` has fewer than four fields.
        case mediaFieldCount
        /// The port of `m=` is not a port number.
        case mediaPort
        /// A format of RTP media is not a payload type number.
        case mediaFormat
        /// `b=` is not of the form `<bwtype>:<bandwidth>`.
        case bandwidthMalformed
        /// `r=` precedes any `t=`.
        case repeatWithoutTime
        /// `a=` has no name.
        case attributeName
        /// `a=rtpmap` is not of the form `<payload type> <encoding name>/<clock rate>`.
        case rtpmapMalformed
        /// `a=rtpmap` refers to a payload type that the `m=` line does not list.
        case rtpmapPayloadType
        /// The clock rate of `a=rtpmap` is not a positive number.
        case rtpmapClockRate
        /// A payload type has more than one `a=rtpmap`.
        case rtpmapRepeated
        /// `a=fmtp` has no format or no parameters.
        case fmtpMalformed
        /// `a=fmtp` refers to a format that the `m=` line does not list.
        case fmtpFormat
        /// A format has more than one `a=fmtp`.
        case fmtpRepeated
        /// `a=rtpmap` or `a=fmtp` occurs at session level.
        case attributeLevel
        /// `a=candidate` does not conform to RFC 8839 §5.1.
        case candidateMalformed
        /// There are more lines than the limit.
        case tooManyLines
        /// The text is not valid UTF-8; it was decoded as ISO 8859-1.
        case notUTF8
    }

    /// The kind of deviation.
    public var kind: Kind
    /// The line number, from 1; 0 if something is missing.
    public var line: Int
    /// The offset of the line in the description, in bytes.
    public var offset: Int
    /// The length of the line without its line end, in bytes.
    public var length: Int
    /// The line as sent, without its line end; may contain keys and passwords.
    public var text: String
    /// The index of the media section, or nil at session level.
    public var medium: Int?
}
