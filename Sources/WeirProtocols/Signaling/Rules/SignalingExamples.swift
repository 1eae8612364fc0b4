import WeirEngine

/// Examples of each rule, violated and met.
enum SignalingExamples {
    static let all: [String: RuleExample] = [
        "SIG-FRAMING": RuleExample(
            broken: "00 00 00 2A {… 38 octets}", kept: "00 00 00 26 {… 38 octets}"),
        "SIG-JSON": RuleExample(broken: "{\"type\":\"login\",}", kept: "{\"type\":\"login\"}"),
        "SIG-TYPE": RuleExample(
            broken: "{\"type\":\"\",\"sdp\":\"v=0…\"}", kept: "{\"type\":\"offer\",\"sdp\":\"v=0…\"}"),
        "SIG-LOGIN-FIRST": RuleExample(
            broken: "{\"type\":\"login\"}\n{\"type\":\"icecandidate\",\"source\":0,\"destination\":0,…}",
            kept: "{\"type\":\"login\"}\n(server response with the ID)\n{\"type\":\"icecandidate\",\"source\":7,…}"
        ),
        "SIG-ROUTE": RuleExample(
            broken: "{\"source\":7,\"destination\":7,…}", kept: "{\"source\":7,\"destination\":8,…}"),
        "SIG-CAND-EARLY": RuleExample(broken: "candidate\noffer", kept: "offer\ncandidate"),
        "SIG-CAND-MID": RuleExample(
            broken: "a=mid:0 a=mid:1\n{\"candidate\":\"…\",\"sdpMid\":\"7\"}",
            kept: "a=mid:0 a=mid:1\n{\"candidate\":\"…\",\"sdpMid\":\"1\"}"),
        "SIG-EOC": RuleExample(
            broken: "candidate\ncandidate (and nothing more)", kept: "candidate\ncandidate\n{\"candidate\":null}"),
        "SIG-HEARTBEAT": RuleExample(
            broken: "heartbeat … 5 s … heartbeat … 20 s … heartbeat",
            kept: "heartbeat … 5 s … heartbeat … 5 s … heartbeat"),
        "SIG-CLEAR": RuleExample(
            broken: "TCP: {\"sdp\":\"…a=fingerprint:sha-256 …\"}",
            kept: "TLS: {\"sdp\":\"…a=fingerprint:sha-256 …\"}"),
        "SIG-RECONNECT": RuleExample(
            broken: "login (connection 1)\nlogin (connection 2, 1 s later)",
            kept: "login (connection 1)\nlogin (connection 2, 30 s later)"),
    ]
}
