import ArgumentParser
import WeirEngine
import WeirKit
import WeirProtocols

/// `--signaling`: what cannot be inferred of a signaling protocol.
struct SignalingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What cannot be inferred of signaling: a profile in YAML, or \(SignalingProfile.builtIn.joined(separator: ", ")).",
            valueName: "file"),
        completion: .file(extensions: ["yml", "yaml"]))
    var signaling: String?

    func validate() throws {
        _ = try profile()
    }

    /// The profile; nil when none was named.
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
                    + "Built in are \(SignalingProfile.builtIn.joined(separator: ", ")).")
        } catch {
            throw ValidationError(plain: "\(name): \(error)")
        }
    }
}
