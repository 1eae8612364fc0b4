import WeirEngine
import WeirPackets

/// A command or data message: its name and values. An object, since messages, sessions and rules pass it around.
public final class RTMPCommand: Sendable, Hashable {
    /// The name, such as `connect` or `onMetaData`, or nil if the message does not start with a string.
    public let name: String?
    /// What the command is, if its name is known.
    let kind: RTMPCommandKind?
    /// The transaction ID to which the answer refers, or nil in data messages.
    public let transactionID: Double?
    /// All further values.
    public let arguments: [AMFValue]
    /// Violations of AMF.
    package let flaws: [AMFFlaw]
    /// Whether it is a `_result` for a `createStream` of this connection, so that its number is a message stream.
    public let makesStream: Bool
    /// The metadata, if this is a data message that contains it.
    public let metadata: SharedValue<StreamMetadata>?
    /// The stream name in commands that contain one.
    public let streamName: String?
    /// Whether it answers another command.
    var isAnswer: Bool { kind?.isAnswer ?? false }

    /// Why the values end before the message does, or nil if all were parsed.
    public var problem: String? { flaws.first { $0.isFatal }?.description }

    init(_ bytes: RawSpan, hasTransaction: Bool, limits: borrowing Limits) {
        var reader = AMFReader(bytes, from: Self.hasFormatSelector(bytes) ? 1 : 0, limits: limits)
        flaws = reader.flaws
        var values = reader.takeValues()
        name = values.first?.text
        kind = name.flatMap { RTMPCommandKind(name: $0) }
        let second = hasTransaction && name != nil && values.count > 1 ? values[1].number : nil
        transactionID = second
        values.removeFirst(name == nil ? 0 : second == nil ? 1 : 2)
        arguments = values
        makesStream = false
        metadata = hasTransaction ? nil : StreamMetadata(kind, values).map { SharedValue($0) }
        streamName = kind?.hasStreamName == true ? Self.streamName(values) : nil
    }

    /// Creates a copy of a `_result` that answers a `createStream`.
    init(makingStream command: RTMPCommand) {
        (name, kind) = (command.name, command.kind)
        (transactionID, arguments) = (command.transactionID, command.arguments)
        (flaws, metadata, streamName) = (command.flaws, command.metadata, command.streamName)
        makesStream = true
    }

    /// Compares what the other properties are derived from.
    public static func == (one: RTMPCommand, other: RTMPCommand) -> Bool {
        one === other
            || one.name == other.name && one.transactionID == other.transactionID && one.arguments == other.arguments
                && one.flaws == other.flaws && one.makesStream == other.makesStream
    }

    /// Hashes name and values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(transactionID)
        hasher.combine(arguments)
    }

    /// Whether the first octet is a format selector, which types 15, 16 and 17 start with: 0 for AMF0 with AVM+ markers
    /// (E-RTMP v2 "Important AMF3-encoded Historical Specification Clarification").
    ///
    /// Some senders omit it, others write it before AMF0. A name follows it; a 0 before anything else is the marker of a
    /// number.
    private static func hasFormatSelector(_ bytes: RawSpan) -> Bool {
        guard bytes.byte(at: 0) == 0 else { return false }
        switch bytes.byte(at: 1) {
        // Strings and long strings of AMF0, and the marker before a value of AMF3 (AMF0 §2.1, §3.1).
        case 0x02, 0x0C, 0x11, nil: return true
        default: return false
        }
    }

    private static func streamName(_ arguments: [AMFValue]) -> String? {
        // In a data message, the transaction ID is one of the values.
        return arguments.lazy.compactMap(\.lenientText).first
            ?? arguments.lazy.compactMap { $0["streamName"]?.lenientText }.first
    }

    /// All stream names in the command: `play2` has the old and the new one, a playlist may have many.
    var streamNames: [String] {
        guard let kind, kind.hasStreamName else { return [] }
        let listed = kind == .setPlaylist ? arguments.lazy.compactMap(\.items).first ?? [] : []
        return [streamName].compactMap { $0 } + arguments.compactMap { $0["oldStreamName"]?.lenientText }
            + listed.compactMap(\.lenientText)
    }

    /// Values of `connect` that grant access: texts to be masked, values of secret names, and optional user arguments.
    var connectSecrets: [String] {
        guard kind == .connect else { return [] }
        var secrets: [String] = []
        for property in arguments.first?.properties ?? [] {
            guard let text = property.value.lenientText else { continue }
            if SecretNames.isSecret(property.name) {
                secrets.append(text)
            } else {
                let isApplication = RTMPSecrets.isApplication(property.name)
                let shown =
                    isApplication
                    ? RTMPSecrets.hide(application: text, [], .masked) : RTMPSecrets.hide(text, [], .masked)
                secrets += RTMPSecrets.words(of: text, without: shown)
            }
        }
        return secrets + arguments.dropFirst().compactMap(\.lenientText)
    }

    /// The number of arguments that may contain text other than the peer's own (RTMP §7.2).
    var knownArguments: Int {
        switch kind {
        case .publish: 2
        case .createStream, .deleteStream, .closeStream, .pause, .seek, .receiveAudio, .receiveVideo: 0
        default: .max
        }
    }

    /// The information object, which contains the code of a status or an answer.
    public var information: AMFValue? { arguments.first { $0["code"] != nil } }
}
