import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

/// `--signaling`: a profile for properties of a signaling protocol that cannot be inferred.
struct SignalingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Signaling profile: a YAML file, or \(SignalingProfile.builtIn.joined(separator: ", ")).",
            valueName: "file"),
        completion: .file(extensions: ["yml", "yaml"]))
    var signaling: String?

    func validate() throws {
        _ = try profile()
    }

    /// Returns the profile, or nil if none was given.
    func profile() throws -> SignalingProfile? {
        guard let name = signaling else { return nil }
        do {
            return try SignalingProfile(yaml: text(name), file: name)
        } catch {
            throw ValidationError(plain: "\(error)")
        }
    }

    private func text(_ name: String) throws -> String {
        if let text = SignalingProfile.text(name) { return text }
        do throws(TextFile.Fault) {
            return try TextFile.load(name)
        } catch .missing {
            throw ValidationError(
                plain:
                    "There is no signaling profile '\(name)'.\(Nearest.hint(name, among: SignalingProfile.builtIn)) "
                    + "Available: \(SignalingProfile.builtIn.joined(separator: ", ")).")
        } catch {
            throw ValidationError(plain: "\(name): \(error)")
        }
    }
}
