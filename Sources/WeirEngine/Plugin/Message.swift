/// A typed message of a protocol. Text is only created when a report prints it.
public protocol Message: Sendable {
    /// The protocol's name in the report's `protocol`, such as `rtsp`.
    var protocolName: String { get }
    /// The kind of message in the report's `kind`, such as `request`.
    var kind: String { get }
    /// Returns the message in one line; `secrets` determines how secrets are treated. The plugin's catalogs contain the
    /// translations of its templates.
    func wording(_ secrets: SecretPolicy) -> Wording
    /// Appends the line in English, as UTF-8. An optimization for very frequent messages, which avoids intermediate
    /// strings; by default it writes `wording`.
    func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8])
    /// An explanation of the event in plain words, or nil if there is nothing to explain.
    var note: Text? { get }
    /// Returns the members for reports, in output order.
    func fields(_ secrets: SecretPolicy) -> [Field]
    /// Appends `fields` as a JSON object, byte for byte as reports write the list. An optimization for frequent
    /// messages, which avoids the list. Returns false, the default, if nothing was appended and `fields` is to be used.
    func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool
    /// Describes in which numbers the record differs from others of its kind. An optimization for very frequent
    /// messages. Returns false, the default, if the record may differ in more and is to be written member by member.
    func outline(_ record: inout RecordOutline) -> Bool
    /// The frame of the message's first byte if the dissector knows it, because parts are interleaved with other
    /// messages or were read before; nil for the frame of the start of its range.
    var firstFrame: Int? { get }
    /// The object that holds the contents of the message, if one does: testing its type takes a tenth of the time that
    /// testing the type of the message takes.
    var object: AnyObject? { get }
    /// Returns the rules' view of an event with the message, computed once, or nil if they need none.
    func view(of event: Event) -> AnyObject?
    /// An object that messages share only if rules with ``Rule/dependsOnlyOnContent`` cannot tell them apart, or nil.
    var sharedContent: (any AnyObject & Sendable)? { get }
    /// Returns the sorts of the message in its event, for rules that observe some sorts only.
    func sorts(of event: Event) -> MessageSorts
    /// Whether it is one of very many media packets, which no rule observes.
    var isRoutine: Bool { get }
    /// The number that pairs request and response, as displayed: `CSeq 4`.
    var pairedBy: String? { get }
    /// The name in reports of the link from a response to its request event.
    var answerLink: String { get }
    /// The kind of story that the message belongs to, or nil if it belongs to any story of its flow.
    var sessionType: Session.Type? { get }
    /// Whether it is only emitted as part of an existing story.
    var requiresSession: Bool { get }
    /// Whether it only encloses another message; text output omits it if that one is printed.
    var isEnvelope: Bool { get }
    /// The bytes of text in the message, if there may be many, since events pending for output are bounded.
    var keptOctets: Int { get }
    /// The kind under which frequently repeated events are counted, or nil if the event is rare.
    var recurrence: String? { get }
    /// The presentation in the condensed timeline.
    var condensed: Condensed { get }
    /// A part of its line that the condensed timeline shows once per session, such as the session identifier.
    var shownOnce: Wording? { get }
}

extension Message {
    /// The default: none.
    public var object: AnyObject? { nil }
    /// The default: none; the message itself suffices.
    public func view(of event: Event) -> AnyObject? { nil }
    /// The default: none.
    public var sharedContent: (any AnyObject & Sendable)? { nil }
    /// The default: all rules of its protocol observe it.
    public func sorts(of event: Event) -> MessageSorts { .all }
    /// The default: false.
    public var isRoutine: Bool { false }
    /// The default: none.
    public var pairedBy: String? { nil }
    /// The default: `requestEvent`.
    public var answerLink: String { "requestEvent" }
    /// The default: any story of its flow.
    public var sessionType: Session.Type? { nil }
    /// The default: false.
    public var requiresSession: Bool { false }
    /// The default: false.
    public var isEnvelope: Bool { false }
    /// The default: 0.
    public var keptOctets: Int { 0 }
    /// The default: rare.
    public var recurrence: String? { nil }
    /// The default: the line is shown completely.
    public var shownOnce: Wording? { nil }
    /// The default: a separate line.
    public var condensed: Condensed { .step }
    /// The default: writes `wording`.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        wording(secrets).write(to: &line)
    }
    /// The default: uses `fields`.
    public func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool { false }
    /// The default: writes the record member by member.
    public func outline(_ record: inout RecordOutline) -> Bool { false }
    /// The default: none.
    public var note: Text? { nil }
    /// The default: derived from the range.
    public var firstFrame: Int? { nil }
}

extension Message {
    /// The message in one line, in English.
    public func summary(_ secrets: SecretPolicy) -> String { wording(secrets).english }
}

/// A named member of a message or record.
public struct Field: Sendable, Hashable {
    /// The name in camel case.
    public var name: String
    /// The value.
    public var value: FieldValue

    /// Creates a field.
    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

/// A JSON value with ordered members.
public enum FieldValue: Sendable, Hashable {
    /// No value, where the protocol itself has a null value.
    case null
    /// A string.
    case string(String)
    /// An integer.
    case integer(Int)
    /// A number with a fraction, printed with up to nine decimals.
    case double(Double)
    /// A finite number, printed with as many digits as needed to parse the same value.
    case number(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A list.
    case array([FieldValue])
    /// Named members, in order.
    case object([Field])
}

extension [Field] {
    /// Appends `value` under `name` if it is not nil.
    public mutating func add(_ name: String, _ value: String?) {
        if let value { append(Field(name, .string(value))) }
    }

    /// Appends `value` under `name` if it is not nil.
    public mutating func add(_ name: String, _ value: Int?) {
        if let value { append(Field(name, .integer(value))) }
    }

    /// Appends `value` under `name` if it is not nil.
    public mutating func add(_ name: String, _ value: Double?) {
        if let value { append(Field(name, .double(value))) }
    }

    /// Appends `value` under `name` if it is not nil.
    public mutating func add(_ name: String, _ value: Bool?) {
        if let value { append(Field(name, .bool(value))) }
    }

    /// Appends `value` under `name` if it is not nil.
    public mutating func add(_ name: String, _ value: FieldValue?) {
        if let value { append(Field(name, value)) }
    }
}
