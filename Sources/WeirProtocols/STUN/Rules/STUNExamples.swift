import WeirEngine

/// Examples of each rule, violated and met.
enum STUNExamples {
    static let all: [String: RuleExample] = [
        "STUN-HEADER": RuleExample(broken: "Binding Request, length 22", kept: "Binding Request, length 24"),
        "STUN-FINGERPRINT": RuleExample(
            broken: "MESSAGE-INTEGRITY, FINGERPRINT, SOFTWARE", kept: "SOFTWARE, MESSAGE-INTEGRITY, FINGERPRINT"),
        "STUN-INTEGRITY": RuleExample(
            broken: "check to 8hhY, signed with a password other than a=ice-pwd",
            kept: "check to 8hhY, signed with the a=ice-pwd of a=ice-ufrag:8hhY"),
        "STUN-420": RuleExample(
            broken: "Binding Error 420", kept: "Binding Error 420, UNKNOWN-ATTRIBUTES 0x0042"),
        "STUN-RETX": RuleExample(
            broken: "Binding Request at 0, 500, 550 ms", kept: "Binding Request at 0, 500, 1500, 3500 ms"),
        "TURN-FLOW": RuleExample(
            broken: "Allocate Success\nSend Indication, peer 192.0.2.7:5000",
            kept: "Allocate Success\nCreatePermission Success, peer 192.0.2.7\nSend Indication, peer 192.0.2.7:5000"),
        "TURN-NONCE": RuleExample(
            broken: "Refresh Request, NONCE a\nRefresh Error 438, NONCE b\nRefresh Request, NONCE a",
            kept: "Refresh Request, NONCE a\nRefresh Error 438, NONCE b\nRefresh Request, NONCE b"),
    ]
}
