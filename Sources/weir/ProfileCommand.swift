import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

/// `weir profile`: the built-in profiles.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Print a built-in profile, as a starting point for your own.",
        discussion: "Without a name, prints the profile 'default'. "
            + "'weir profile strict > weir.yml' creates one next to captures. "
            + "'\(SignalingProfile.builtIn.joined(separator: ", "))' is for --signaling."
    )

    @Argument(
        help: ArgumentHelp(
            "One of \(Self.names.joined(separator: ", ")).", valueName: "name"),
        completion: .list(Self.names))
    var name = "default"

    private static var names: [String] { CheckProfile.builtIn + SignalingProfile.builtIn }

    private static func text(_ name: String) -> String? { CheckProfile.text(name) ?? SignalingProfile.text(name) }

    func validate() throws {
        guard Self.text(name) == nil else { return }
        throw ValidationError(
            plain:
                "There is no profile '\(name)'.\(Nearest.hint(name, among: Self.names)) "
                + "Available: \(Self.names.joined(separator: ", ")).")
    }

    func run() throws {
        try FileOutput.print(Self.text(name) ?? "")
    }
}
