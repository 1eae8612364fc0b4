/// A typed message of some protocol. It stays typed to the end: text is only made when a report prints it.
public protocol Message: Sendable {
    /// The protocol's name as in the report's `protocol`, such as `rtsp`.
    var protocolName: String { get }
    /// The kind of message, such as `request`; the word of the report's `kind`.
    var kind: String { get }
    /// The message in one line, secrets treated as `secrets` says. What its templates are in another language is among
    /// the plugin's words, under the templates.
    func wording(_ secrets: SecretPolicy) -> Wording
    /// Appends the same line in English, as UTF-8, to what is being written: for messages of which a capture holds very
    /// many, so that no text is made of them first. By default it is what `wording` says.
    func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8])
    /// What this step does, in plain words: a key of the string catalogue with arguments; nil when there is nothing to
    /// explain.
    var note: Text? { get }
    /// The message's members for reports, in the order in which they are to be printed.
    func fields(_ secrets: SecretPolicy) -> [Field]
    /// Appends `fields` as a JSON object, octet for octet as reports write the list: for messages of which a capture holds
    /// many, so that no list is made of them first. False when nothing was appended, which is the default: then `fields`
    /// is asked.
    func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool
    /// Says in which numbers the message's record differs from others of its kind, for messages of which a capture holds
    /// very many. False when the record may say more, which is the default: then it is written member by member.
    func outline(_ record: inout RecordOutline) -> Bool
    /// The frame that brought the message's first octet, when the dissector knows: parts of it may lie among those of
    /// other messages, or have been read before. Nil: it is the frame of the first octet of the message's range.
    var firstFrame: Int? { get }
    /// What the rules of the message's protocol ask of a step with it, found out once; nil when they ask nothing.
    func view(of event: Event) -> AnyObject?
    /// Which sort of its protocol's messages it is, for the rules that look at some sorts only.
    var sorts: MessageSorts { get }
    /// Whether it stands for one media packet of very many, at which no rule looks.
    var isRoutine: Bool { get }
    /// The number that pairs a request and its answer, as people name it: `CSeq 4`.
    var pairedBy: String? { get }
    /// How reports call the link from an answer to the event that it answers.
    var answerLink: String { get }
    /// The kind of story that it is a step of; nil when it is a part of whatever its flow tells.
    var story: Session.Type? { get }
    /// Whether it is worth telling only as a step of a story that is known without it.
    var needsStory: Bool { get }
    /// Whether it only brings another message: where that is told, too, the text for people leaves this one out.
    var isEnvelope: Bool { get }
    /// Octets of text that it keeps, where these may be many: what waits to be reported has a bound.
    var keptOctets: Int { get }
    /// The kind by which steps are counted that a session takes over and over; nil for what it takes seldom.
    var recurrence: String? { get }
    /// How the condensed timeline presents it.
    var condensed: Condensed { get }
    /// A part of its line that the condensed timeline shows once in a session, such as the session's identifier.
    var shownOnce: Wording? { get }
}

extension Message {
    /// By default rules ask nothing but what the message itself tells.
    public func view(of event: Event) -> AnyObject? { nil }
    /// By default all rules of its protocol look at it.
    public var sorts: MessageSorts { .all }
    /// By default it is a step of its own.
    public var isRoutine: Bool { false }
    /// By default nothing pairs it.
    public var pairedBy: String? { nil }
    /// By default `requestEvent`.
    public var answerLink: String { "requestEvent" }
    /// By default it is a step of what its flow tells, if that is a story.
    public var story: Session.Type? { nil }
    /// By default it is told in any case.
    public var needsStory: Bool { false }
    /// By default it says something itself.
    public var isEnvelope: Bool { false }
    /// By default they are few.
    public var keptOctets: Int { 0 }
    /// By default it is seldom.
    public var recurrence: String? { nil }
    /// By default its line is shown whole.
    public var shownOnce: Wording? { nil }
    /// By default a line of its own.
    public var condensed: Condensed { .step }
    /// By default `wording` is asked.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        wording(secrets).write(to: &line)
    }
    /// By default `fields` is asked.
    public func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool { false }
    /// By default the record is written member by member.
    public func outline(_ record: inout RecordOutline) -> Bool { false }
    /// By default there is nothing to explain.
    public var note: Text? { nil }
    /// By default the range tells.
    public var firstFrame: Int? { nil }
}

extension Message {
    /// The message in one line, in English.
    public func summary(_ secrets: SecretPolicy) -> String { wording(secrets).english }
}

/// One named member of a message or record.
public struct Field: Sendable, Hashable {
    /// Name in camelCase.
    public var name: String
    /// Its value.
    public var value: FieldValue

    /// Creates a field.
    public init(_ name: String, _ value: FieldValue) {
        self.name = name
        self.value = value
    }
}

/// A value as JSON knows it, members in order.
public enum FieldValue: Sendable, Hashable {
    /// No value, where the protocol itself says so.
    case null
    /// A string.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction, printed with up to nine decimals.
    case double(Double)
    /// A finite number, printed with as many digits as it takes to read the same one back.
    case number(Double)
    /// True or false.
    case bool(Bool)
    /// A list.
    case array([FieldValue])
    /// Named members, in order.
    case object([Field])
}

extension [Field] {
    /// Appends `value` under `name` when it is known.
    public mutating func add(_ name: String, _ value: String?) {
        if let value { append(Field(name, .string(value))) }
    }

    /// Appends `value` under `name` when it is known.
    public mutating func add(_ name: String, _ value: Int?) {
        if let value { append(Field(name, .integer(value))) }
    }

    /// Appends `value` under `name` when it is known.
    public mutating func add(_ name: String, _ value: Double?) {
        if let value { append(Field(name, .double(value))) }
    }

    /// Appends `value` under `name` when it is known.
    public mutating func add(_ name: String, _ value: Bool?) {
        if let value { append(Field(name, .bool(value))) }
    }

    /// Appends `value` under `name` when it is known.
    public mutating func add(_ name: String, _ value: FieldValue?) {
        if let value { append(Field(name, value)) }
    }
}
