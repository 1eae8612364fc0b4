import ArgumentParser
import WeirCapture
import WeirPackets
import WeirReports

/// `weir interfaces`: the interfaces available for capture.
struct InterfacesCommand: ParsableCommand {
    /// The output format of the list.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    static let configuration = CommandConfiguration(
        commandName: "interfaces",
        abstract: "List the interfaces available for capture, and whether this user has permission.",
        discussion: "Permission and link type are determined by opening each interface; nothing is captured."
    )

    @Option(name: .shortAndLong, help: "Output format: text, or a JSON array.")
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
