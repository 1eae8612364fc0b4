public import WeirEngine

/// The texts of notes, findings and outcomes in a language.
public struct Words: Sendable {
    private let texts: CatalogueTexts

    /// Creates the texts of the engine, the reports and these plugins.
    public init(_ language: Language, secrets: SecretPolicy = .masked, plugins: [any Plugin.Type]) {
        texts = Catalogue(language, secrets, plugins).texts
    }

    /// Returns the sentence; a key in no catalogue stands for itself.
    public func sentence(_ text: Text) -> String { Catalogue(of: texts).sentence(text) }
}
