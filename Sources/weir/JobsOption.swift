import ArgumentParser
import WeirReports

/// The number of files that are analyzed at the same time.
struct JobsOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            The number of files read at the same time (default: one for each processor). The output is the same; \
            --memory-limit applies to each file.
            """, valueName: "number"))
    var jobs: Int?

    /// The number of files to analyze at the same time.
    var count: Int { jobs ?? Processors.count }

    func validate() throws {
        guard let jobs, !(1...1_024).contains(jobs) else { return }
        throw ValidationError(plain: "--jobs takes a number from 1 to 1024, not \(jobs).")
    }
}
