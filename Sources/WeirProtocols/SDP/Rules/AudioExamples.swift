import WeirEngine

/// Failing and passing examples of the rules for audio parameters.
enum AudioExamples {
    static let all: [String: RuleExample] = [
        "AAC-CONFIG": RuleExample(
            broken: "a=rtpmap:97 mpeg4-generic/44100/2\na=fmtp:97 mode=AAC-hbr;config=1190",
            kept: "a=rtpmap:97 mpeg4-generic/48000/2\na=fmtp:97 mode=AAC-hbr;config=1190;sizelength=13;…"),
        "OPUS-CLOCK": RuleExample(
            broken: "a=rtpmap:111 opus/16000/1",
            kept: "a=rtpmap:111 opus/48000/2"),
    ]
}
