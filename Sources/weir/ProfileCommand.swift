import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

/// `weir profile`: the profiles that come with Weir.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Print a built-in profile, to start one's own from.",
        discussion: "Without a name the profile 'default'. "
            + "'weir profile strict > weir.yml' begins one beside captures. "
            + "'\(SignalingProfile.builtIn.joined(separator: ", "))' is one for --signaling."
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
                + "There are \(Self.names.joined(separator: ", ")).")
    }

    func run() throws {
        try FileOutput.print(Self.text(name) ?? "")
    }
}
