import WeirEngine

/// Examples of each rule, violated and met.
enum WHIPExamples {
    static let all: [String: RuleExample] = [
        "WHIP-POST": RuleExample(
            broken: "HTTP/1.1 200 OK\nContent-Type: application/sdp",
            kept: "HTTP/1.1 201 Created\nContent-Type: application/sdp\nLocation: /resource/1"),
        "WHIP-DIR": RuleExample(broken: "POST /whip … a=recvonly", kept: "POST /whip … a=sendonly"),
        "WHIP-DELETE": RuleExample(
            broken: "201 Created, Location: /resource/1 … (nothing)",
            kept: "201 Created, Location: /resource/1 … DELETE /resource/1"),
        "WHIP-PATCH": RuleExample(
            broken: "PATCH /resource/1 … Content-Type: application/json",
            kept: "PATCH /resource/1 … Content-Type: application/trickle-ice-sdpfrag\nIf-Match: \"first\""),
        "WHIP-RESTART": RuleExample(
            broken: "PATCH … If-Match: \"first\" … a=ice-ufrag:new1", kept: "PATCH … If-Match: \"*\" … a=ice-ufrag:new1"
        ),
        "WHIP-CANDS": RuleExample(
            broken: "201 … a=ice-ufrag:8hhY", kept: "201 … a=ice-ufrag:8hhY … a=candidate:1 1 UDP …"),
        "WHIP-BUNDLE": RuleExample(
            broken: "m=audio … m=video …", kept: "a=group:BUNDLE 0 1 … m=audio … a=mid:0 … m=video … a=mid:1"),
        "WHIP-REDIRECT": RuleExample(broken: "HTTP/1.1 302 Found", kept: "HTTP/1.1 307 Temporary Redirect"),
        "WHIP-AUTH": RuleExample(
            broken: "POST … Authorization: Bearer …\nDELETE … (without)",
            kept: "POST … Authorization: Bearer …\nDELETE … Authorization: Bearer …"),
    ]
}
