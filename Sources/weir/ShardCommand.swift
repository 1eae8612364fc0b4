import ArgumentParser
import WeirCapture
import WeirKit
import WeirReports

/// `weir shard`: one capture as several.
struct ShardCommand: ParsableCommand {
    /// How shards are formed.
    enum Unit: String, ExpressibleByArgument, CaseIterable {
        case session
    }

    static let configuration = CommandConfiguration(
        commandName: "shard",
        abstract: "Split a capture so that no session is in two parts.",
        discussion: """
            Flows that belong together stay together: the control connection and media of a session, a call and its \
            signaling, fragments, and ICMP errors with the flow that they quote. The capture is read three times, so it \
            must be a file. Each part records the end of the whole capture.

            Example:
              weir shard day.pcap --shards 8 -o parts
            """
    )

    @Argument(
        help: ArgumentHelp("A capture file, pcap or pcapng, plain or compressed.", valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var file: String

    @Option(help: "What is not split.")
    var by = Unit.session

    @Option(help: ArgumentHelp("The number of parts.", valueName: "number"))
    var shards: Int

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The directory to write to.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(name: .shortAndLong, help: "Do not show informational messages.")
    var quiet = false

    @OptionGroup(title: "Input") var reading: AnalysisOptions

    func validate() throws {
        guard (1...1_024).contains(shards) else {
            throw ValidationError(plain: "--shards takes a number from 1 to 1024, not \(shards).")
        }
        guard file != "-" else {
            throw ValidationError(plain: "The capture is read three times: standard input cannot be split.")
        }
        guard reading.filter == nil else {
            throw ValidationError(plain: "All packets are distributed: shard takes no --filter.")
        }
    }

    func run() throws {
        let names = (1...shards).map { "\(output)/shard-\($0).pcapng" }
        try OutputNames.check(written: names, read: [file])
        let options = try reading.analyzerOptions()
        let plan: ShardPlan
        do throws(CaptureError) {
            plan = try ShardSurvey.plan(file, count: shards, options: options)
        } catch {
            StandardError.write("weir: \(error)\n")
            throw ExitCode(2)
        }
        try OutputFolder.make(output)
        let outputs = try names.map { name throws(ExitCode) in try FileOutput(name) }
        guard
            var writer = ShardWriter(
                plan, application: "weir \(Version.number)", output: { outputs[$0].write($1) })
        else {
            StandardError.write("weir: \(file) contains no packets\n")
            throw ExitCode(2)
        }
        var failure: ExitCode?
        do throws(CaptureError) {
            try writer.write(file, limits: options.limits)
        } catch {
            StandardError.write("weir: \(error)\n")
            failure = ExitCode(2)
        }
        for output in outputs { try output.close() }
        if !quiet { tell(plan, names, writer.frames) }
        if let failure { throw failure }
    }

    private func tell(_ plan: ShardPlan, _ names: [String], _ frames: [Int]) {
        for (name, count) in zip(names, frames) { StandardError.write("weir: \(name): \(count) packets\n") }
        guard shards > 1, plan.largestShare > 1.5 / Double(shards) else { return }
        let percent = Int((plan.largestShare * 100).rounded(.down))
        StandardError.write(
            "weir: \(plan.groups) groups of flows; the largest has \(percent) % of the bytes and cannot be split\n")
    }
}
