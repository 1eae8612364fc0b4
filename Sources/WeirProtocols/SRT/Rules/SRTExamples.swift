import WeirEngine

/// Examples of each rule, violated and met.
enum SRTExamples {
    static var all: [String: RuleExample] { handshakes.merging(SRTPacketExamples.all) { first, _ in first } }

    private static let handshakes: [String: RuleExample] = [
        "SRT-INDUCTION": RuleExample(broken: "INDUCTION, version 5", kept: "INDUCTION, version 4"),
        "SRT-MAGIC": RuleExample(
            broken: "INDUCTION response, version 5, extension field 2",
            kept: "INDUCTION response, version 5, extension field 0x4A17"),
        "SRT-COOKIE": RuleExample(
            broken: "INDUCTION response, cookie 0x1234\nCONCLUSION, cookie 0",
            kept: "INDUCTION response, cookie 0x1234\nCONCLUSION, cookie 0x1234"),
        "SRT-FLAGS": RuleExample(broken: "HSREQ, flags 0x0000001b", kept: "HSREQ, flags 0x000000bf"),
        "SRT-LATENCY": RuleExample(
            broken: "HSREQ, latency 200 ms\nHSRSP, latency 120 ms",
            kept: "HSREQ, latency 120 ms\nHSRSP, latency 200 ms"),
        "SRT-KM-FORM": RuleExample(
            broken: "KMREQ without an even or odd key", kept: "KMREQ, even key, 24 octets wrapped"),
        "SRT-KLEN": RuleExample(
            broken: "CONCLUSION, encryption field 2, KMREQ with 32 octets",
            kept: "CONCLUSION, encryption field 4, KMREQ with 32 octets"),
        "SRT-STREAMID": RuleExample(broken: "#!::r=live,publish", kept: "#!::r=live,m=publish"),
        "SRT-NAK-LIST": RuleExample(broken: "NAK 120 to 118", kept: "NAK 118 to 120"),
    ]
}
