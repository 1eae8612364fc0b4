import ArgumentParser
import SystemPackage
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir tables`: records as rows for databases.
struct TablesCommand: ParsableCommand {
    /// The form of the schema.
    enum SchemaFormat: String, ExpressibleByArgument, CaseIterable {
        case json, markdown
    }

    static let configuration = CommandConfiguration(
        commandName: "tables",
        abstract: "Write captures, sessions, streams, findings and flows as tables, for databases.",
        discussion: """
            Writes a file of newline-delimited JSON for each table, and schema.json with the columns, their types and \
            units. Rows of all tables have the SHA-256 of their capture file. A capture that cannot be read is a row \
            of the table captures with the reason.

            Examples:
              weir tables *.pcap -o tables
              weir tables --schema markdown
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Capture files, pcap or pcapng, plain or compressed; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var files: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The directory to write to.", valueName: "folder"),
        completion: .directory)
    var output: String?

    @Option(help: "Print the schema instead of reading captures.")
    var schema: SchemaFormat?

    @Option(help: ArgumentHelp("The profile that rules are checked with.", valueName: "file"))
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The key of the only capture, instead of its SHA-256; required for standard input.", valueName: "key"))
    var id: String?

    @Flag(help: "Write the table events, too.")
    var events = false

    @Flag(name: .shortAndLong, help: "Do not show progress and informational messages.")
    var quiet = false

    @OptionGroup(title: "Input") var reading: AnalysisOptions
    @OptionGroup(title: "Input") var jobs: JobsOption

    func validate() throws {
        guard schema == nil else {
            guard files.isEmpty, output == nil else {
                throw ValidationError(plain: "--schema prints the schema: it takes neither files nor --output.")
            }
            return
        }
        guard !files.isEmpty, output != nil else {
            throw ValidationError(plain: "Name the captures, and a directory with --output.")
        }
        guard files.count == 1 || id == nil && !files.contains("-") else {
            throw ValidationError(plain: "--id and standard input are for a single capture.")
        }
        guard id != nil || files != ["-"] else {
            throw ValidationError(plain: "Standard input has no file to compute a SHA-256 of: give a key with --id.")
        }
    }

    func run() throws {
        switch schema {
        case .json: try FileOutput.print(TableSchema.json)
        case .markdown: try FileOutput.print(TableSchema.markdown)
        case nil: try write(to: output ?? ".")
        }
    }

    private func write(to folder: String) throws {
        let keys = CaptureKeys(files, id: id)
        let names = TableSchema.all.map(\.name)
        let paths = names.map { "\(folder)/\($0).ndjson" }
        try OutputNames.check(written: paths + ["\(folder)/schema.json"], read: files + [profile].compactMap(\.self))
        let plan = try CheckPlan(RuleOptions.parse(profile.map { ["--profile", $0] } ?? []), captures: [])
        try OutputFolder.make(folder)
        var outputs: [String: FileOutput] = [:]
        for (name, path) in zip(names, paths) { outputs[name] = try FileOutput(path) }
        let written = events ? outputs : outputs.filter { !TableSchema.optional.contains($0.key) }
        let report = TablesReport(
            ReportOptions(plugins: BuiltIn.plugins),
            profile: FilePath(plan.profile.name).lastComponent?.string ?? plan.profile.name,
            key: keys.key, outputs: written)
        let gate = plan.gate(report)
        var run = try CaptureRun(
            keys.distinct, reading, Selection(), quiet: quiet, verbose: false, jobs, rules: plan.rules)
        run.judgeOptions = plan.judging
        let failure = run.run(
            gate, report,
            unread: { file, reason in
                gate.noteUnread(file, reason: reason)
                report.unread(file, reason: reason)
            }, finish: { gate.finish() })
        for name in names { try outputs[name]?.close() }
        let schema = try FileOutput("\(folder)/schema.json")
        schema.write(Array(TableSchema.json.utf8))
        try schema.close()
        if let failure { throw failure }
    }
}

/// The keys of captures in tables.
struct CaptureKeys {
    /// The files without those whose content is that of an earlier one.
    private(set) var distinct: [String] = []
    private var keys: [String: String] = [:]

    /// Reads the files to compute the SHA-256 of each, unless `id` is the key of the only one.
    init(_ files: [String], id: String?) {
        var known: [String: String] = [:]
        for file in files {
            let key = id ?? Self.digest(file) ?? "file:\(file)"
            if let other = known[key] {
                StandardError.write("weir: \(file) has the same content as \(other): skipped\n")
                continue
            }
            known[key] = file
            keys[file] = key
            distinct.append(file)
        }
    }

    /// Returns the key of a file.
    func key(_ file: String) -> String { keys[file] ?? "file:\(file)" }

    /// Returns the SHA-256 of a file in hexadecimal, or nil if it cannot be read, or has no end.
    private static func digest(_ name: String) -> String? {
        guard let file = try? FileDescriptor.open(FilePath(name), .readOnly) else { return nil }
        defer { try? file.close() }
        guard (try? file.seek(offset: 0, from: .end)) != nil, (try? file.seek(offset: 0, from: .start)) != nil
        else { return nil }
        var digest = ContentDigest()
        while let block = try? file.block(1 << 20) {
            guard !block.isEmpty else { return digest.hexadecimal }
            digest.add(block)
        }
        return nil
    }
}
