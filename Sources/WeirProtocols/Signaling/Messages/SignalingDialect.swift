/// A message format shared by several programs, recognized by the members of its messages.
package enum SignalingDialect: String, Sendable, Hashable, CaseIterable {
    /// Janus: `janus` is the request name, `jsep` contains the description.
    case janus
    /// protoo, as in mediasoup's demo: `request`, `response` or `notification` beside `method`.
    case protoo
    /// Kurento tutorials: `id` is the message name, descriptions are `sdpOffer` and `sdpAnswer`.
    case kurento
    /// JSON-RPC 2.0, as in ion-sfu and Kurento Media Server.
    case jsonRPC = "json-rpc"
    /// Socket.IO: an array whose first element is the event name.
    case socketIO = "socket.io"
    /// Jitsi: messages have a `colibriClass`, or are a conference with channel bundles.
    case jitsi
    /// LiveKit: the only member of the message is its name.
    case liveKit = "livekit"
    /// A format defined by a profile.
    case profile

    /// The dialect of an object, or nil if its members match none.
    init?(_ node: JSONNode) {
        if node["janus"]?.string != nil {
            self = .janus
        } else if node["jsonrpc"]?.string == "2.0" {
            self = .jsonRPC
        } else if ["request", "response", "notification"].contains(where: { node[$0]?.content == .bool(true) }) {
            self = .protoo
        } else if node["colibriClass"] != nil || node["channel-bundles"] != nil {
            self = .jitsi
        } else if node["id"]?.string != nil, Self.kurentoMembers.contains(where: { node[$0] != nil }) {
            self = .kurento
        } else if node.members.count == 1, let only = node.members.first, Self.liveKitNames.contains(only.name),
            only.value.isObject
        {
            self = .liveKit
        } else {
            return nil
        }
    }

    private static let kurentoMembers = ["sdpOffer", "sdpAnswer", "candidate"]
    /// Names that only LiveKit uses; its `offer` and `answer` are recognized by their contents.
    private static let liveKitNames: Set<String> = [
        "trickle", "addTrack", "add_track", "trackPublished", "track_published", "subscription", "join", "leave",
    ]
}
