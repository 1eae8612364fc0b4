import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

extension Severity: ExpressibleByArgument {
    /// A severity by its name, in any case.
    public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

/// Which rules judge, how strictly, and what is accepted: common to the commands that give a verdict.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The least severity that fails the check; without it error, or warning with --strict.",
            valueName: "severity"))
    var failOn: Severity?

    @Flag(help: "Warnings and recommendations count too, and known habits of peers excuse nothing.")
    var strict = false

    @Option(
        name: .customLong("rule"), parsing: .singleValue,
        help: ArgumentHelp(
            "Judge only these rules, such as RTSP-SESSION-ECHO or 'RTSP-*'. Repeatable.", valueName: "id"))
    var only: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Do not judge these rules, such as 'RTP-*'. Repeatable.", valueName: "id"))
    var skipRule: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            What to ask for: a file, or a built-in profile ('weir profile' names them). Without it weir.yml beside the \
            captures, if there is one.
            """, valueName: "file"),
        completion: .file(extensions: ["yml", "yaml"]))
    var profile: String?

    @Option(
        help: ArgumentHelp("Accept what this file lists; only new findings fail the check.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write what was found to this file, as the baseline from now on.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var writeBaseline: String?

    @Flag(help: "Say which clauses of each specification the captures exercised.")
    var coverage = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Write another report: text, json, junit, sarif, markdown or github, to a file; - is standard output. Repeatable.",
            valueName: "format=file"))
    var report: [ReportRequest] = []

    /// Whether anything asks for a verdict.
    var isUsed: Bool {
        failOn != nil || strict || !only.isEmpty || !skipRule.isEmpty || profile != nil || baseline != nil
            || writeBaseline != nil || coverage || !report.isEmpty
    }

    func validate() throws {
        let requirements = Pattern("REQUIRE-*")
        for list in only + skipRule where Self.ids(list).isEmpty {
            throw ValidationError(
                plain: "--rule and --skip-rule take a rule's id, not '\(list)'. 'weir rules' lists them.")
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

    /// Ids that stand in one word, with commas between them.
    static func ids(_ list: String) -> [String] {
        list.uppercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}

/// One `--report`.
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
