import ArgumentParser
import WeirEngine
import WeirProtocols
import WeirReports

/// `weir dissectors`: the protocols.
struct DissectorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissectors",
        abstract: "List the registered dissectors: name, carriers, ports, and how each is recognised."
    )

    func run() throws {
        try FileOutput.print(DissectorPage.list(BuiltIn.dissectors.map { $0.descriptor }))
    }
}
