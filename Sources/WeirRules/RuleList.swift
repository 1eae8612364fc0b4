/// The rules that Weir knows, by protocol. A new rule is a small value in its protocol's folder and one word here.
public enum RuleList {
    /// All of them, in the order in which reports list them.
    public static var all: [any Rule.Type] { rtsp + sdp + rtp }

    static var rtsp: [any Rule.Type] { [] }
    static var sdp: [any Rule.Type] { [] }
    static var rtp: [any Rule.Type] { [] }
}
