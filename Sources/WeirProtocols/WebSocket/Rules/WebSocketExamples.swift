import WeirEngine

/// Examples of each rule, violated and met.
enum WebSocketExamples {
    static let all: [String: RuleExample] = [
        "WS-HANDSHAKE": RuleExample(
            broken: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Accept: dGhlIHNhbXBsZSBub25jZQ==",
            kept: "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        "WS-MASK": RuleExample(
            broken: "client: 81 05 48 65 6C 6C 6F", kept: "client: 81 85 37 FA 21 3D 7F 9F 4D 51 58"),
        "WS-FRAME": RuleExample(broken: "81 7E 00 05 48 65 6C 6C 6F", kept: "81 05 48 65 6C 6C 6F"),
        "WS-CONTROL": RuleExample(broken: "09 02 68 69 (FIN is 0)", kept: "89 02 68 69"),
        "WS-FRAG": RuleExample(
            broken: "01 03 48 65 6C … 81 02 6C 6F", kept: "01 03 48 65 6C … 80 02 6C 6F"),
        "WS-UTF8": RuleExample(broken: "81 02 C3 28", kept: "81 02 C3 A9"),
        "WS-CLOSE": RuleExample(
            broken: "88 02 03 E8 … FIN", kept: "client: 88 82 … server: 88 02 03 E8 … FIN"),
    ]
}
