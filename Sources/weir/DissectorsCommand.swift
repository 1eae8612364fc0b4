import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir dissectors`: the list of dissectors.
struct DissectorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissectors",
        abstract: "List the registered dissectors: name, carriers, ports, and how each is recognized."
    )

    func run() throws {
        try FileOutput.print(DissectorPage.list(BuiltIn.dissectors.map { $0.descriptor }))
    }
}
