import WeirEngine

/// What stands around the contents of a signaling message: who says it to whom, what he calls it, and which call it is of.
struct SignalingEnvelope: Sendable, Hashable {
    /// Who says it.
    var from: String?
    /// To whom.
    var to: String?
    /// What the peers call the message.
    var type: String?
    /// What names the call.
    var call: String?
    /// That name as it may be shown; nil where it may be as it is. Who knows the id of a session may speak for its peers,
    /// other than that of a room.
    var maskedCall: String?
    /// How it is written.
    var dialect: SignalingDialect?

    /// The longest id and name that is one.
    private static let longest = 256

    /// Reads the members of a message, those of outer objects first.
    init(_ node: JSONNode, names: SignalingNames) {
        dialect = SignalingDialect(node)
        if !names.isInferred { dialect = .profile }
        let objects = Self.objects(node)
        from = Self.word(objects, names.from)
        to = Self.word(objects, names.to)
        call = Self.word(objects, names.call)
        // As the member is masked where the message is shown.
        if let call, names.call.contains(where: { SecretNames.isSecret($0) && Self.word(objects, [$0]) == call }) {
            maskedCall = SecretPolicy.mask
        }
        type = Self.type(node, objects, names)
        if dialect == .janus {
            // Beside it an event may have a `type`, of media.
            type = node["janus"]?.word ?? type
            // What a plugin's handle says is told apart by handle; a room is of many calls.
            from = node["sender"]?.word
            let handle = node["handle_id"]?.word ?? from
            let session = node["session_id"]?.word
            call = Self.path(session, handle)
            // Without the session's id the handle's is of no use.
            maskedCall = session.flatMap { _ in Self.path(SecretPolicy.mask, handle) }
            to = nil
        }
    }

    private static func path(_ session: String?, _ handle: String?) -> String? {
        let parts = [session, handle].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// The message and the objects in it that may have members of the envelope, outer ones first.
    private static func objects(_ node: JSONNode) -> [JSONNode] {
        var found: [JSONNode] = []
        var level = node.isObject ? [node] : node.elements.filter(\.isObject)
        for _ in 0..<3 {
            found += level
            level = level.flatMap { $0.members.map(\.value).filter(\.isObject) }
            if found.count + level.count > 64 { break }
        }
        return found
    }

    private static func word(_ objects: [JSONNode], _ names: [String]) -> String? {
        for object in objects {
            for name in names {
                guard let value = SignalingNames.value(object, at: name) else { continue }
                if let word = value.word, !word.isEmpty, word.utf8.count <= longest { return word }
                // Some say more than the id of a peer.
                if let word = (value["id"] ?? value["uid"])?.word, word.utf8.count <= longest { return word }
            }
        }
        return nil
    }

    private static func type(_ node: JSONNode, _ objects: [JSONNode], _ names: SignalingNames) -> String? {
        for object in objects {
            for name in names.type {
                guard let word = SignalingNames.value(object, at: name)?.word, !word.isEmpty, word.utf8.count <= 64
                else { continue }
                // An id that numbers requests names nothing.
                if name == "id", object != objects.first || Int(word) != nil || object["result"] != nil { continue }
                return word
            }
        }
        guard node.members.count == 1, let only = node.members.first, only.value.isObject || only.value.string != nil
        else { return nil }
        return only.name
    }
}

/// Which members say what: those that are usual, or those that a profile names.
package struct SignalingNames: Sendable, Hashable {
    /// Who says it. A name may be a path, its steps parted by points.
    package var from = [
        "from", "source", "src", "sender", "fromId", "from_id", "senderId", "sender_id", "fromUser", "peerFrom",
        "sourcePeerId",
    ]
    /// To whom.
    package var to = [
        "to", "destination", "dst", "dest", "target", "toId", "to_id", "receiver", "receiverId", "targetId", "toUser",
        "peerTo",
    ]
    /// What the message is called.
    package var type = [
        "type", "event", "janus", "method", "eventName", "messageType", "message_type", "msgType", "cmd", "command",
        "action", "kind", "op", "id", "request",
    ]
    /// Which call it is of.
    package var call = [
        "call", "callId", "call_id", "callid", "room", "roomId", "room_id", "roomName", "conversationId", "sid",
    ]
    /// The words that a profile has for messages, as the peers write them.
    package var kinds: [String: SignalingKind] = [:]
    /// Whether nothing was said of it, so that what is usual is looked for.
    package var isInferred = true

    /// What is usual.
    package init() {}

    /// The value at a path.
    static func value(_ node: JSONNode, at path: String) -> JSONNode? {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return node[path] }
        var place: JSONNode? = node
        for step in path.split(separator: ".") { place = place?[String(step)] }
        return place
    }
}
