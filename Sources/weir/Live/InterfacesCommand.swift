import ArgumentParser
import WeirCapture
import WeirPackets
import WeirReports

/// `weir interfaces`: what can be captured on.
struct InterfacesCommand: ParsableCommand {
    /// How the list is written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "interfaces",
        abstract: "List the interfaces that can be captured on, and whether this user may.",
        discussion: "Whether one may, and the link type, are found out by trying: nothing is captured."
    )

    @Option(name: .shortAndLong, help: "The list as text, or as a JSON array.")
    var format = Format.text

    func run() throws {
        let interfaces: [CaptureInterface]
        do throws(LiveError) {
            interfaces = try CaptureInterface.all()
        } catch {
            StandardError.write("weir: \(error)\n")
            throw ExitCode(2)
        }
        let rows = interfaces.map { interface in
            InterfacePage.Row(
                name: interface.name, explanation: interface.explanation, addresses: interface.addresses,
                linkType: interface.linkType?.name, isUp: interface.isUp, isRunning: interface.isRunning,
                isLoopback: interface.isLoopback, permission: interface.permission.rawValue)
        }
        try FileOutput.print(format == .text ? InterfacePage.text(rows) : InterfacePage.json(rows))
        if interfaces.contains(where: { $0.permission == .denied }) {
            StandardError.write("weir: \(CapturePermission.advice)\n", keepingLines: true)
        }
    }
}
