import WeirEngine

/// A failing and a passing example of each rule.
enum OfferAnswerExamples {
    static let all: [String: RuleExample] = [
        "OA-MCOUNT": RuleExample(
            broken: "(offer) m=audio … m=video …\n(answer) m=audio …",
            kept: "(offer) m=audio … m=video …\n(answer) m=audio … m=video 0 …"),
        "OA-PT-SUBSET": RuleExample(
            broken: "(offer) a=rtpmap:96 VP8/90000\n(answer) a=rtpmap:102 H264/90000",
            kept: "(offer) a=rtpmap:96 VP8/90000\n(answer) a=rtpmap:96 VP8/90000"),
        "OA-RTX": RuleExample(
            broken: "m=video 9 UDP/TLS/RTP/SAVPF 97\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96",
            kept: "m=video 9 UDP/TLS/RTP/SAVPF 96 97\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96"),
        "OA-EXTMAP": RuleExample(
            broken: "(offer) a=extmap:3 urn:…:mid\n(answer) a=extmap:5 urn:…:mid",
            kept: "(offer) a=extmap:3 urn:…:mid\n(answer) a=extmap:3 urn:…:mid"),
        "OA-DIR": RuleExample(
            broken: "(offer) a=sendonly\n(answer) a=sendrecv", kept: "(offer) a=sendonly\n(answer) a=recvonly"),
        "OA-SETUP": RuleExample(
            broken: "(offer) a=setup:active\n(answer) a=setup:active",
            kept: "(offer) a=setup:actpass\n(answer) a=setup:active"),
        "OA-REJECT": RuleExample(
            broken: "(offer) m=video 0 …\n(answer) m=video 9 …", kept: "(offer) m=video 0 …\n(answer) m=video 0 …"),
        "OA-VERSION": RuleExample(
            broken: "o=- 4611 2 IN IP4 127.0.0.1\no=- 4611 2 IN IP4 127.0.0.1 (another media section)",
            kept: "o=- 4611 2 IN IP4 127.0.0.1\no=- 4611 3 IN IP4 127.0.0.1 (another media section)"),
        "OA-REOFFER-MLINES": RuleExample(
            broken: "m=audio 9 … m=video 9 …\nm=video 9 …", kept: "m=audio 9 … m=video 9 …\nm=audio 0 … m=video 9 …"),
        "OA-GLARE": RuleExample(broken: "offer\noffer\nanswer", kept: "offer\nanswer\noffer"),
        "OA-STRAY-ANSWER": RuleExample(broken: "offer\nanswer\nanswer (from the offerer)", kept: "offer\nanswer"),
    ]
}
