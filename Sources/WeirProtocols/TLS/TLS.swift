package import WeirEngine

/// Transport Layer Security, as far as it says what it hides.
package enum TLS: Plugin {
    /// `tls`.
    package static let name = "tls"
    /// Its sentences.
    package static func words(_ language: Language) -> [[String: String]] { TLSWords.all(language) }
    /// Its lines.
    package static func lines(_ language: Language) -> [String: String] { TLSWords.lines(language) }
    /// On TCP.
    package static var dissectors: [any Dissector.Type] { [TLSDissector.self] }
}
