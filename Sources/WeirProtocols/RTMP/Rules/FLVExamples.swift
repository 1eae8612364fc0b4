import WeirEngine

/// A violating and a conforming example for each rule.
enum FLVExamples {
    static let all: [String: RuleExample] = [
        "FLV-SEQHDR": RuleExample(
            broken: "video key frame\nvideo sequence header",
            kept: "video sequence header\nvideo key frame"),
        "FLV-NALU-LEN": RuleExample(broken: "00 00 07 7A … (358 octets left)", kept: "00 00 01 66 … (358 octets left)"),
        "FLV-KEYFLAG": RuleExample(broken: "27 01 … NAL unit 5 (IDR)", kept: "17 01 … NAL unit 5 (IDR)"),
        "FLV-META": RuleExample(
            broken: "onMetaData after the first video",
            kept: "@setDataFrame onMetaData {width, height, …}, then video"),
        "FLV-TS": RuleExample(broken: "video 1000, 1040, 1020", kept: "video 1000, 1040, 1080"),
        "FLV-HEVC12": RuleExample(broken: "1C 01 … (codec 12)", kept: "91 68 76 63 31 … (hvc1)"),
        "EFLV-FOURCC": RuleExample(
            broken: "hvc1 was not announced in connect",
            kept: "connect fourCcList [\"hvc1\"]\nvideo hvc1"),
    ]
}
