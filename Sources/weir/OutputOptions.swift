import ArgumentParser
import CTerminal
import WeirEngine
import WeirProtocols
import WeirReports

extension Language: ExpressibleByArgument {}
extension Explanations: ExpressibleByArgument {}

/// When to use color.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The format of times in the text.
enum TimeStyle: String, ExpressibleByArgument, CaseIterable {
    case offset, absolute
}

/// The options for selection and output, shared by all commands that analyze captures.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the report to a file; - is standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(
        name: .customLong("protocol"), parsing: .singleValue,
        help: ArgumentHelp("Show only these protocols, such as rtsp or rtsp,rtp. Repeatable.", valueName: "name"))
    var protocols: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Show only these flows, numbered as in the report. Repeatable.", valueName: "id"))
    var flow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Start of the time range: seconds since the first packet, or RFC 3339.", valueName: "time"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "End of the time range (exclusive): seconds since the first packet, or RFC 3339.", valueName: "time"))
    var to: String?

    @Option(help: "Times in the text: seconds since the first packet, or date and time in UTC.")
    var time = TimeStyle.offset

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Show only these sessions, numbered as in the report. Repeatable.", valueName: "number"))
    var session: [String] = []

    @Option(
        help: ArgumentHelp(
            "The most events on a page (HTML); those with findings and their neighbors are kept.", valueName: "number"))
    var maxEvents = HTMLReport.mostEvents

    @Option(help: "Explain steps: the first of each kind, always or never.")
    var explain = Explanations.first

    @Flag(name: .customLong("no-notes"), help: "The same as --explain never.")
    var noNotes = false

    @Option(help: "Language of explanations and findings.")
    var lang = Language.english

    @Flag(help: "Show passwords, digest responses and keys, which are masked by default.")
    var revealSecrets = false

    @Option(help: "Color the text: on a terminal only (respecting NO_COLOR), always or never.")
    var color = ColorChoice.auto

    @Flag(name: .shortAndLong, help: "Do not show progress and informational messages.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show TLS of unknown purpose, and log the files being read to standard error.")
    var verbose = false

    func validate() throws {
        guard maxEvents > 0 else { throw ValidationError(plain: "--max-events takes a number from 1 on.") }
        guard try !reportOptions().selection.isEmpty else {
            throw ValidationError(plain: "--from \(from ?? "") is not before --to \(to ?? "").")
        }
    }

    func reportOptions() throws -> ReportOptions {
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.language = lang
        options.secrets = revealSecrets ? .revealed : .masked
        options.explanations = noNotes ? .never : explain
        options.selection.sessions = Set(
            try session.flatMap { try $0.split(separator: ",").map { try Self.number($0, "--session") } })
        options.selection.protocols = Set(try protocols.flatMap(Self.names))
        options.selection.flows = Set(
            try flow.flatMap { try $0.split(separator: ",").map { try Self.number($0, "--flow") } })
        options.selection.from = try from.map { try bound($0, "--from") }
        options.selection.to = try to.map { try bound($0, "--to") }
        return options
    }

    /// Returns the page with the width and color support of the terminal, if the output is one.
    func page() -> TextReport.Page {
        var page = TextReport.Page(output: output, color: color)
        page.showsTimeOfDay = time == .absolute
        return page
    }

    /// Returns protocol names, which may be those of plugins, of dissectors, and of the engine's own events.
    private static func names(_ list: String) throws -> [String] {
        let reported =
            BuiltIn.plugins.map { $0.name } + BuiltIn.dissectors.map { $0.descriptor.name } + ["tcp", "icmp"]
        let known = Set(reported).sorted()
        return try list.lowercased().split(separator: ",").map { part in
            let name = TextSyntax.trim(part)
            guard known.contains(name) else {
                throw ValidationError(
                    plain: "There is no protocol '\(name)'. Available: \(known.joined(separator: ", ")).")
            }
            return name
        }
    }

    private static func number(_ text: Substring, _ option: String) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ValidationError(plain: "\(option) takes numbers, not '\(text)'.")
        }
        return number
    }

    private func bound(_ text: String, _ option: String) throws -> Selection.Bound {
        if let seconds = Double(text), seconds >= 0, seconds < 1e9 {
            return .offset(Int64((seconds * 1_000_000_000).rounded()))
        }
        if let time = CivilTime.timestamp(rfc3339: text) { return .time(time) }
        throw ValidationError(plain: "\(option) takes seconds or a time such as 2016-08-10T05:41:02Z, not '\(text)'.")
    }
}

extension TextReport.Page {
    /// Creates a page with the width and color support of the terminal, if the output is one.
    init(output: String, color choice: ColorChoice) {
        self.init()
        let isTerminal = output == "-" && terminal_is(1) != 0
        let columns = isTerminal ? Int(terminal_columns(1)) : 0
        if columns > 0 { width = max(40, columns) }
        color = choice == .always || (choice == .auto && isTerminal && terminal_refuses_color() == 0)
    }
}
