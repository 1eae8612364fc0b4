import WeirEngine

/// The envelope of a signaling message: sender, recipient, type and call.
struct SignalingEnvelope: Sendable, Hashable {
    /// The sender.
    var from: String?
    /// The recipient.
    var to: String?
    /// The peers' name of the message type.
    var type: String?
    /// The name of the call.
    var call: String?
    /// The name of the call with secrets masked, or nil if it contains none. A session ID, unlike a room, allows acting
    /// for its peers.
    var maskedCall: String?
    /// The message format.
    var dialect: SignalingDialect?

    /// The maximum length of an ID or a name.
    private static let longest = 256

    /// Parses the members of a message, those of outer objects first. `path` is that of the HTTP request.
    init(_ node: JSONNode, names: SignalingNames, path: String? = nil) {
        dialect = SignalingDialect(node)
        if !names.isInferred { dialect = .profile }
        let objects = Self.objects(node)
        from = Self.word(objects, names.from)
        to = Self.word(objects, names.to)
        call = Self.word(objects, names.call)
        // Consistent with the masking of the member where the message is shown.
        if let call, names.call.contains(where: { SecretNames.isSecret($0) && Self.word(objects, [$0]) == call }) {
            maskedCall = SecretPolicy.mask
        }
        type = Self.type(node, objects, names)
        if dialect == .janus {
            // An event may also have a `type`, of media.
            type = node["janus"]?.word ?? type
            // Handles distinguish the messages of a plugin; a room has many calls.
            from = node["sender"]?.word
            let ids = path.map(Self.numbers) ?? []
            let handle = node["handle_id"]?.word ?? from ?? (ids.count > 1 ? ids.last : nil)
            let session = node["session_id"]?.word ?? ids.first
            call = Self.path(session, handle)
            // The handle ID is useless without the session ID.
            maskedCall = session.flatMap { _ in Self.path(SecretPolicy.mask, handle) }
            to = nil
        }
    }

    /// Returns the IDs of session and handle at the end of a path such as `/janus/123/456`.
    private static func numbers(_ path: String) -> [String] {
        let parts = path.split(separator: "/").suffix(2).map(String.init)
        return Array(parts.reversed().prefix { Int($0) != nil }.reversed())
    }

    private static func path(_ session: String?, _ handle: String?) -> String? {
        let parts = [session, handle].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// Returns the message and the nested objects that may have members of the envelope, outer ones first.
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
                // Some formats contain more than the ID of a peer.
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
                // An ID that numbers requests identifies no peer or call.
                if name == "id", object != objects.first || Int(word) != nil || object["result"] != nil { continue }
                return word
            }
        }
        guard node.members.count == 1, let only = node.members.first, only.value.isObject || only.value.string != nil
        else { return nil }
        return only.name
    }
}

/// The members that contain the envelope: common ones, or those of a profile.
package struct SignalingNames: Sendable, Hashable {
    /// Members with the sender. A name may be a path, separated by dots.
    package var from = [
        "from", "source", "src", "sender", "fromId", "from_id", "senderId", "sender_id", "fromUser", "peerFrom",
        "sourcePeerId",
    ]
    /// Members with the recipient.
    package var to = [
        "to", "destination", "dst", "dest", "target", "toId", "to_id", "receiver", "receiverId", "targetId", "toUser",
        "peerTo",
    ]
    /// Members with the message type.
    package var type = [
        "type", "event", "janus", "method", "eventName", "messageType", "message_type", "msgType", "cmd", "command",
        "action", "kind", "op", "id", "request",
    ]
    /// Members with the call.
    package var call = [
        "call", "callId", "call_id", "callid", "room", "roomId", "room_id", "roomName", "conversationId", "sid",
    ]
    /// The profile's names of message types.
    package var kinds: [String: SignalingKind] = [:]
    /// Whether there is no profile, so that common names apply.
    package var isInferred = true

    /// Creates the common names.
    package init() {}

    /// Returns the value at a path.
    static func value(_ node: JSONNode, at path: String) -> JSONNode? {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return node[path] }
        var place: JSONNode? = node
        for step in path.split(separator: ".") { place = place?[String(step)] }
        return place
    }
}
