/// A way of signaling that several programs share, told by the members of its messages.
package enum SignalingDialect: String, Sendable, Hashable, CaseIterable {
    /// Janus: `janus` names the request, `jsep` holds the description.
    case janus
    /// protoo, as mediasoup's demonstration speaks it: `request`, `response` or `notification` beside `method`.
    case protoo
    /// Kurento's tutorials: `id` names the message, descriptions are `sdpOffer` and `sdpAnswer`.
    case kurento
    /// JSON-RPC 2.0, as ion-sfu and Kurento Media Server speak it.
    case jsonRPC = "json-rpc"
    /// Socket.IO: a list whose first element names the event.
    case socketIO = "socket.io"
    /// Jitsi: what is said has a `colibriClass`, or is a conference with channel bundles.
    case jitsi
    /// LiveKit: the one member of the message names it.
    case liveKit = "livekit"
    /// A profile says how it is to be read.
    case profile

    /// The dialect of an object, as far as its members tell.
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
    /// The names that only LiveKit has; its `offer` and `answer` are told by what is in them.
    private static let liveKitNames: Set<String> = [
        "trickle", "addTrack", "add_track", "trackPublished", "track_published", "subscription", "join", "leave",
    ]
}
