public import WeirEngine

/// The sentences of notes, findings and outcomes in a language.
public struct Words: Sendable {
    private let texts: CatalogueTexts

    /// Those of the engine, the reports and these protocols.
    public init(_ language: Language, secrets: SecretPolicy = .masked, plugins: [any Plugin.Type]) {
        texts = Catalogue(language, secrets, plugins).texts
    }

    /// The sentence; a key that no catalogue has stands for itself.
    public func sentence(_ text: Text) -> String { Catalogue(of: texts).sentence(text) }
}
