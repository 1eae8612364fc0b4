import WeirEngine
import WeirPackets

/// A command or data message: its name and values.
public struct RTMPCommand: Sendable, Hashable {
    /// The name, such as `connect` or `onMetaData`; nil when the message does not begin with a string.
    public let name: String?
    /// The number by which the answer refers to a command; nil in data messages.
    public let transactionID: Double?
    /// All further values.
    public let arguments: [AMFValue]
    /// What is not as AMF has it.
    package let flaws: [AMFFlaw]
    /// A `_result` that answers a `createStream` which this connection has seen: its number is a message stream.
    public internal(set) var makesStream = false

    /// Why the values end before the message does; nil when all were read.
    public var problem: String? { flaws.first { $0.isFatal }?.description }

    init(_ bytes: RawSpan, hasTransaction: Bool, limits: Limits) {
        // Types 15, 16 and 17 begin with a format selector, 0 for AMF0 with AVM+ markers (E-RTMP v2 "Important
        // AMF3-encoded Historical Specification Clarification"). Some senders leave it out, some write it in front of
        // AMF0; a name never begins with it.
        let read = AMFReader(bytes, from: bytes.byte(at: 0) == 0 ? 1 : 0, limits: limits)
        flaws = read.flaws
        name = read.values.first?.text
        var start = name == nil ? 0 : 1
        let second = hasTransaction && name != nil && read.values.count > 1 ? read.values[1].number : nil
        if second != nil { start = 2 }
        transactionID = second
        arguments = Array(read.values.dropFirst(start))
    }

    /// The stream's name in commands that name one.
    public var streamName: String? {
        guard let name, Self.naming.contains(name) else { return nil }
        // Sent as data instead of as a command, the transaction is one of the values.
        return arguments.lazy.compactMap(\.lenientText).first
            ?? arguments.lazy.compactMap { $0["streamName"]?.lenientText }.first
    }

    /// All names of streams in it: `play2` has the old one beside the new one, a list to play may have many.
    var streamNames: [String] {
        guard let name, Self.naming.contains(name) else { return [] }
        let listed = name == "set_playlist" ? arguments.lazy.compactMap(\.items).first ?? [] : []
        return [streamName].compactMap { $0 } + arguments.compactMap { $0["oldStreamName"]?.lenientText }
            + listed.compactMap(\.lenientText)
    }

    /// What `connect` says that grants access: words that are masked in it, values of secret names, and what follows its object.
    var connectSecrets: [String] {
        guard name == "connect" else { return [] }
        var secrets: [String] = []
        for property in arguments.first?.properties ?? [] {
            guard let text = property.value.lenientText else { continue }
            if SecretNames.isSecret(property.name) {
                secrets.append(text)
            } else {
                let isApplication = RTMPSecrets.applications.contains(property.name)
                let shown =
                    isApplication
                    ? RTMPSecrets.hide(application: text, [], .masked) : RTMPSecrets.hide(text, [], .masked)
                secrets += RTMPSecrets.words(of: text, without: shown)
            }
        }
        return secrets + arguments.dropFirst().compactMap(\.lenientText)
    }

    /// How many arguments of the command may have words in them that are not the peer's own (RTMP §7.2).
    var knownArguments: Int {
        switch name {
        case "publish": 2
        case "createStream", "deleteStream", "closeStream", "pause", "seek", "receiveAudio", "receiveVideo": 0
        default: .max
        }
    }

    /// The argument object that holds the code of a status, or of an answer.
    public var information: AMFValue? { arguments.first { $0["code"] != nil } }

    static let naming: Set = [
        "publish", "play", "play2", "releaseStream", "FCPublish", "FCUnpublish", "FCSubscribe", "FCUnsubscribe",
        "getStreamLength", "onFCPublish", "onFCUnpublish", "onFCSubscribe", "set_playlist",
    ]
}
