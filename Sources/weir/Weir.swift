import ArgumentParser
import CProcess
import WeirReports

/// The command-line tool.
@main
struct Weir: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weir",
        abstract: "Analyze the streaming sessions in packet captures.",
        discussion: """
            Reads pcap and pcapng files (also gzip and zstd) and prints an annotated timeline of RTSP, RTMP, SRT, \
            RIST and WebRTC sessions with SDP, RTP, RTCP, MPEG-TS, signaling, ICE, DTLS, HTTP and WebSocket: \
            connection setup, negotiation, media, teardown. Steps are explained, and violated rules are cited with their clause.

            Examples:
              weir camera.pcap                    the timeline
              weir check camera.pcap              the conformance report
              weir camera.pcap --format ndjson | jq 'select(.kind == "gap")'
              sudo weir live -i eth0              a live capture

            Exit codes: 0 success; 1 check found violations; 2 a capture could not be read to its end (everything \
            before that is reported) or a report could not be written; 64 usage error; 77 no permission to capture.
            """,
        version: version,
        subcommands: [
            Analyze.self, Check.self, Live.self, Extract.self, InterfacesCommand.self, RulesCommand.self,
            ProfileCommand.self,
            DissectorsCommand.self, DiffCommand.self, RedactCommand.self, TablesCommand.self, ShardCommand.self,
            MCPCommand.self,
        ],
        defaultSubcommand: Analyze.self
    )

    /// The version, with the commit that the program was built from if it is known.
    private static var version: String {
        let octets = sequence(first: Int32(0)) { $0 &+ 1 }.lazy.map(process_commit).prefix { $0 != 0 }
        let commit = String(decoding: Array(octets), as: UTF8.self)
        return commit.isEmpty ? Version.number : "\(Version.number) (\(commit))"
    }

    /// Parses the arguments and runs the command.
    static func main() {
        // Shortcut: parsing the tree of commands and options takes half of the startup time.
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print(version)
        } else {
            do {
                try run(Array(CommandLine.arguments.dropFirst()))
            } catch {
                end(error)
            }
        }
    }

    /// Runs the command that the arguments name. It is parsed without the options of all others, which take most of the
    /// startup time; whatever needs a message is parsed with them.
    private static func run(_ arguments: [String]) throws {
        var rest = arguments[...]
        if rest.first == Analyze.configuration.commandName { rest.removeFirst() }
        let isDefault = !rest.contains { mayNameCommand($0) && isCommand($0) }
        if isDefault, let plain = PlainAnalysis(Array(rest)) {
            // Not destroyed: the system frees its memory at once.
            try withExtendedLifetime(plain.run()) { exit() }
        }
        let parsed = isDefault ? try? Analyze.parse(Array(rest)) : parsedAlone(arguments)
        var command = try parsed ?? parseAsRoot(arguments)
        try command.run()
    }

    /// Parses a command that the first argument names, without the options of all others; returns nil if that fails.
    private static func parsedAlone(_ arguments: [String]) -> (any ParsableCommand)? {
        let named = configuration.subcommands.first { $0.configuration.commandName == arguments.first }
        guard let named, named.configuration.subcommands.isEmpty else { return nil }
        return try? named.parse(Array(arguments.dropFirst()))
    }

    /// Whether an argument consists of what names of commands consist of: names of files hardly do, and then no command
    /// is asked for its name.
    private static func mayNameCommand(_ argument: String) -> Bool {
        argument.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
    }

    private static func isCommand(_ argument: String) -> Bool {
        argument == "help" || configuration.subcommands.contains { $0.configuration.commandName == argument }
    }

    /// Exits with the code of the error. Its message may repeat arguments, such as file names from untrusted sources.
    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        guard !code.isSuccess else { exit(withError: error) }
        let message = fullMessage(for: error)
        if !message.isEmpty { StandardError.write(message + "\n", keepingLines: true) }
        exit(withError: code)
    }
}
