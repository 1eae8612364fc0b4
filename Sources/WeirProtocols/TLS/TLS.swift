package import WeirEngine

/// Transport Layer Security, without decryption.
package enum TLS: Plugin {
    /// The plugin name, `tls`.
    package static let name = "tls"
    /// The texts in a language.
    package static func words(_ language: Language) -> [[String: String]] { TLSWords.all(language) }
    /// The line templates in a language.
    package static func lines(_ language: Language) -> [String: String] { TLSWords.lines(language) }
    /// The dissector, on TCP.
    package static var dissectors: [any Dissector.Type] { [TLSDissector.self] }
}
