import ArgumentParser
import WeirReports

/// The command.
@main
struct Weir: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weir",
        abstract: "Tells the story of the streaming sessions in a packet capture.",
        discussion: """
            Reads pcap and pcapng files (also gzip and zstd) and prints an annotated timeline of RTSP, RTMP and \
            WebRTC with all that belongs to them (SDP, RTP, RTCP, signaling, ICE, DTLS, HTTP, WebSocket): connect, \
            negotiate, media, close; each step explained, each broken rule named with its clause.

            Examples:
              weir camera.pcap                    the timeline
              weir check camera.pcap              the conformance report
              weir camera.pcap --format ndjson | jq 'select(.kind == "gap")'
              sudo weir live -i eth0              while it happens

            Exit codes: 0 done; 1 check found something; 2 a capture could not be read to its end (what stands before \
            is reported), or a report not be written; 64 the command line is wrong; 77 no permission to capture.
            """,
        version: Version.number,
        subcommands: [
            Analyze.self, Check.self, Live.self, Extract.self, InterfacesCommand.self, RulesCommand.self,
            ProfileCommand.self,
            DissectorsCommand.self,
        ],
        defaultSubcommand: Analyze.self
    )

    /// Runs the command that the arguments ask for.
    static func main() {
        // To read even this the tree of commands and options would be looked through: half of what starting takes.
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            print(Version.number)
        } else {
            do {
                var command = try parseAsRoot()
                try command.run()
            } catch {
                end(error)
            }
        }
    }

    /// Ends the program as the error says. Its words may repeat arguments, which may be names of files that somebody else gave.
    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        guard !code.isSuccess else { exit(withError: error) }
        let message = fullMessage(for: error)
        if !message.isEmpty { StandardError.write(message + "\n", keepingLines: true) }
        exit(withError: code)
    }
}
