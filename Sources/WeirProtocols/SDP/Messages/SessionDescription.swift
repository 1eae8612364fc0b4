public import WeirEngine

/// A session description (RFC 8866), every line kept, typed where it can be.
///
/// Reading never fails: what departs from the grammar is listed in `problems`, and the rest is used.
public struct SessionDescription: Message, Equatable {
    /// What a description is for.
    public enum Role: String, Sendable, Hashable {
        /// It offers media (RFC 3264).
        case offer
        /// It answers an offer.
        case answer
        /// It presents what a server has to play, or what a client is about to record.
        case presentation
    }

    /// The `v=` line's number (§5.1); nil when it is missing or not a number.
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
    /// The `k=` line at session level (§5.12): it may hold a secret.
    public var key: String?
    /// The `a=` lines at session level (§5.13).
    public var attributes: [SDPAttribute] = []
    /// The groups of media (RFC 5888).
    public internal(set) var groups: [MediaGroup] = []
    /// Tags of media in `BUNDLE` groups, but for those that stand first.
    var carried: Set<String> = []
    /// The media descriptions (§5.14).
    public var media: [MediaDescription] = []
    /// What departs from the grammar, in the order of the lines; what is missing stands last.
    public var problems: [SDPProblem] = []
    /// What it is for, if known.
    public var role: Role?

    /// Creates an empty description.
    package init() {}
}

/// The `o=` line: who made the description (RFC 8866 §5.2).
public struct SDPOrigin: Sendable, Hashable {
    /// The user's name on the originating host, or `-`.
    public var username: String
    /// The session's identifier, decimal digits.
    public var sessionId: String
    /// The description's version, decimal digits.
    public var sessionVersion: String
    /// The type of network, `IN`.
    public var netType: String
    /// The type of address, `IP4` or `IP6`.
    public var addrType: String
    /// The address or name; nil when it is missing.
    public var address: String?
}

/// A `c=` line: where media goes (RFC 8866 §5.7).
public struct SDPConnection: Sendable, Hashable {
    /// The type of network, `IN`.
    public var netType: String
    /// The type of address, `IP4` or `IP6`.
    public var addrType: String
    /// The address or name, without what follows a slash; nil when it is missing.
    public var address: String?
    /// Time to live of IPv4 multicast.
    public var ttl: Int?
    /// Number of contiguous multicast addresses.
    public var count: Int?
}

/// A `b=` line (RFC 8866 §5.8).
public struct SDPBandwidth: Sendable, Hashable {
    /// What is limited: `AS`, `CT`, `TIAS`, `RS`, `RR`.
    public var type: String
    /// The limit: kbit/s for `AS` and `CT`, bit/s for `TIAS`, `RS` and `RR`; nil when it is no number.
    public var value: Int?
}

/// A `t=` line and the `r=` lines after it (RFC 8866 §5.9, §5.10).
public struct SDPTime: Sendable, Hashable {
    /// Start, in seconds since 1900; 0 means always.
    public var start: String
    /// Stop, in seconds since 1900; 0 means never; nil when missing.
    public var stop: String?
    /// The values of the `r=` lines.
    public var repeats: [String] = []
}

/// An `a=` line (RFC 8866 §5.13).
public struct SDPAttribute: Sendable, Hashable {
    /// The name: case counts.
    public var name: String
    /// What stands after the colon; nil for a property without a value.
    public var value: String?
    /// The line's number in the description, from 1.
    public var line: Int
}

/// An `m=` line and the lines that belong to it (RFC 8866 §5.14).
public struct MediaDescription: Sendable, Hashable {
    /// The media type: `audio`, `video`, `application`, ….
    public var type: String
    /// The port; 0 in a description that a server presents, and for rejected media; nil when it is no port number.
    public var port: UInt16?
    /// How many pairs of ports, when given.
    public var portCount: Int?
    /// The transport protocol, such as `RTP/AVP`.
    public var proto: String
    /// The formats: with RTP the payload type numbers.
    public var formats: [String]
    /// The `i=` line.
    public var title: String?
    /// The `c=` lines.
    public var connections: [SDPConnection] = []
    /// The `b=` lines.
    public var bandwidths: [SDPBandwidth] = []
    /// The `k=` line: it may hold a secret.
    public var key: String?
    /// The `a=` lines.
    public internal(set) var attributes: [SDPAttribute] = []
    /// The payload types' meanings, in order (RFC 8866 §6.6); lines that cannot be read are left out.
    public private(set) var rtpMaps: [RTPMap] = []
    /// The formats' parameters, in order (RFC 8866 §6.15).
    public private(set) var formatParameters: [FormatParameters] = []
    /// The number of its `m=` line in the description, from 1.
    public var line: Int

    init(type: String, port: UInt16?, portCount: Int?, proto: String, formats: [String], line: Int) {
        self.type = type
        self.port = port
        self.portCount = portCount
        self.proto = proto
        self.formats = formats
        self.line = line
    }

    /// Adds an `a=` line; what says how payloads are to be read is read at once, since everybody asks for it.
    mutating func add(_ attribute: SDPAttribute) {
        attributes.append(attribute)
        switch attribute.name {
        case "rtpmap": if let map = RTPMap(attribute.value ?? "") { rtpMaps.append(map) }
        case "fmtp": if let parameters = FormatParameters(attribute.value ?? "") { formatParameters.append(parameters) }
        default: break
        }
    }
}

/// A departure from the grammar or from a rule on single lines; the description was used all the same.
public struct SDPProblem: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no `v=` line, or it is not the first.
        case versionMissing
        /// The version is not 0.
        case versionNotZero
        /// There is no `o=` line.
        case originMissing
        /// `o=` has not six fields.
        case originFieldCount
        /// `o=` has no address where one is due.
        case originAddressMissing
        /// The address of `o=` is not one of its type.
        case originAddressInvalid
        /// Session id or version of `o=` is not a number.
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
        /// `c=` has not three fields.
        case connectionFieldCount
        /// `c=` has no address where one is due.
        case connectionAddressMissing
        /// The address of `c=` is not one of its type.
        case connectionAddressInvalid
        /// An IPv4 multicast address has no TTL.
        case connectionTTLMissing
        /// The TTL is not 0 to 255, or the number of addresses is no number above 0.
        case connectionTTLInvalid
        /// An IPv6 multicast address has a TTL: more than one slash.
        case connectionTTLOnIPv6
        /// A unicast address has a slash.
        case connectionSlashOnUnicast
        /// The line is later than the grammar has it.
        case order
        /// The line may stand only once at its place, and stands again; the first counts.
        case repeated
        /// The line is not a letter, `=` and a value.
        case notTypeValue
        /// A blank stands before `=`.
        case blankBeforeEquals
        /// A blank stands after `=` where the value may not begin with one.
        case blankAfterEquals
        /// The line ends in a blank where the value may not.
        case trailingBlank
        /// Two blanks stand where one is due.
        case doubleBlank
        /// An empty line stands between the lines.
        case emptyLine
        /// The letter is not one of RFC 8866's, or does not belong into a media description.
        case unknownType
        /// The value is empty.
        case emptyValue
        /// The line ends in LF alone.
        case lineFeedOnly
        /// The line ends in CR alone.
        case carriageReturnOnly
        /// The last line has no line end.
        case noFinalLineEnd
        /// `m=` has fewer than four fields.
        case mediaFieldCount
        /// The port of `m=` is no port number.
        case mediaPort
        /// A format of RTP media is not a payload type number.
        case mediaFormat
        /// `b=` is not a type, a colon and a number.
        case bandwidthMalformed
        /// `r=` stands before any `t=`.
        case repeatWithoutTime
        /// `a=` has no name.
        case attributeName
        /// `a=rtpmap` is not a payload type, a blank, an encoding, a slash and a clock rate.
        case rtpmapMalformed
        /// `a=rtpmap` names a payload type that the `m=` line does not list.
        case rtpmapPayloadType
        /// The clock rate of `a=rtpmap` is not a positive number.
        case rtpmapClockRate
        /// A payload type has more than one `a=rtpmap`.
        case rtpmapRepeated
        /// `a=fmtp` has no format, or nothing after it.
        case fmtpMalformed
        /// `a=fmtp` names a format that the `m=` line does not list.
        case fmtpFormat
        /// A format has more than one `a=fmtp`.
        case fmtpRepeated
        /// `a=rtpmap` or `a=fmtp` stands at session level.
        case attributeLevel
        /// `a=candidate` is not of the form of RFC 8839 §5.1.
        case candidateMalformed
        /// There are more lines than are read.
        case tooManyLines
        /// The octets are not UTF-8; they were read as ISO 8859-1.
        case notUTF8
    }

    /// What is wrong.
    public var kind: Kind
    /// The line's number, from 1; 0 when something is missing that has no line.
    public var line: Int
    /// Octets from the start of the description to the line.
    public var offset: Int
    /// Octets of the line, without its end.
    public var length: Int
    /// The line as sent, without its end; keys and passwords may stand in it.
    public var text: String
    /// The medium it belongs to, counted from 0; nil at session level.
    public var medium: Int?
}
