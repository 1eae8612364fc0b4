import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

extension Severity: ExpressibleByArgument {
    /// Creates a severity from its name, ignoring case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// The options for rules, severities and accepted findings, shared by the commands that check rules.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The lowest severity that fails the check (default: error, or warning with --strict).",
            valueName: "severity"))
    var failOn: Severity?

    @Flag(help: "Also count warnings and recommendations, and do not excuse known habits of peers.")
    var strict = false

    @Option(
        name: .customLong("rule"), parsing: .singleValue,
        help: ArgumentHelp(
            "Check only these rules, such as RTSP-SESSION-ECHO or 'RTSP-*'. Repeatable.", valueName: "id"))
    var only: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Do not check these rules, such as 'RTP-*'. Repeatable.", valueName: "id"))
    var skipRule: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The profile: a file, or a built-in one (see 'weir profile'). Defaults to weir.yml next to the captures, if \
            present.
            """, valueName: "file"),
        completion: .file(extensions: ["yml", "yaml"]))
    var profile: String?

    @Option(
        help: ArgumentHelp("Accept the findings in this file; only new ones fail the check.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write all findings to this file, as a new baseline.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var writeBaseline: String?

    @Flag(help: "Report which clauses of each specification the captures exercised.")
    var coverage = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write a report to a file: text, json, junit, sarif, markdown, github or html; - is standard output. Repeatable.",
            valueName: "format=file"))
    var report: [ReportRequest] = []

    /// Whether any of these options is used.
    var isUsed: Bool {
        failOn != nil || strict || !only.isEmpty || !skipRule.isEmpty || profile != nil || baseline != nil
            || writeBaseline != nil || coverage || !report.isEmpty
    }

    func validate() throws {
        let requirements = Pattern("REQUIRE-*")
        for list in only + skipRule where Self.ids(list).isEmpty {
            throw ValidationError(
                plain: "--rule and --skip-rule take a rule ID, not '\(list)'. 'weir rules' lists them.")
        }
        for id in (only + skipRule).flatMap(Self.ids) {
            let pattern = Pattern(id)
            let known = BuiltIn.rules.map { $0.info.id }
            guard known.contains(where: pattern.matches) || requirements.matches(id) else {
                throw ValidationError(
                    plain:
                        "There is no rule '\(id)'.\(Nearest.hint(id, among: known)) 'weir rules' lists them.")
            }
        }
    }

    /// Returns the IDs in a comma-separated list.
    static func ids(_ list: String) -> [String] {
        list.uppercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}

/// The value of `--report`.
struct ReportRequest: ExpressibleByArgument {
    let format: CheckFormat
    let file: String

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, let format = CheckFormat(rawValue: sides[0]), !sides[1].isEmpty else { return nil }
        self.format = format
        file = sides[1]
    }
}
