import ArgumentParser
import WeirEngine
import WeirKit

/// `weir profile`: the profiles that come with Weir.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Print a built-in profile, to start one's own from.",
        discussion: "Without a name the profile 'default'. 'weir profile strict > weir.yml' begins one beside captures."
    )

    @Argument(
        help: ArgumentHelp(
            "One of \(CheckProfile.builtIn.joined(separator: ", ")).", valueName: "name"),
        completion: .list(CheckProfile.builtIn))
    var name = "default"

    func validate() throws {
        guard CheckProfile.text(name) == nil else { return }
        throw ValidationError(
            "There is no profile '\(name)'.\(Nearest.hint(name, among: CheckProfile.builtIn)) "
                + "There are \(CheckProfile.builtIn.joined(separator: ", ")).")
    }

    func run() {
        print(CheckProfile.text(name) ?? "", terminator: "")
    }
}
