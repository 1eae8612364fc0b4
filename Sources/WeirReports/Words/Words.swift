public import WeirEngine

/// The sentences of notes, findings and outcomes in a language.
public struct Words {
    private let catalogue: Catalogue

    /// Those of the engine, the reports and these protocols.
    public init(_ language: Language, secrets: SecretPolicy = .masked, plugins: [any Plugin.Type]) {
        catalogue = Catalogue(language, secrets, plugins)
    }

    /// The sentence; a key that no catalogue has stands for itself.
    public func sentence(_ text: Text) -> String { catalogue.sentence(text) }
}
