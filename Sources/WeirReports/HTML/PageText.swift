import WeirEngine

/// A text in the language of the report, and in the other language of the page if it differs there.
struct PageText: Sendable, Hashable {
    /// In the language of the report.
    var main: String
    /// In the other language, or nil if it is the same.
    var other: String?

    init(_ main: String, _ other: String? = nil) {
        self.main = main
        self.other = other == main ? nil : other
    }

    /// Returns both, each changed in the same way.
    func map(_ change: (String) -> String) -> PageText { PageText(change(main), other.map(change)) }

    /// Returns the concatenation.
    static func + (one: PageText, other: PageText) -> PageText {
        PageText(one.main + other.main, (one.other ?? one.main) + (other.other ?? other.main))
    }
}

/// The texts of a page in both languages: that of the report, and the one that the reader can switch to.
struct PageWords {
    /// The texts of the report's language.
    let main: TextPage
    private let other: TextPage
    private let mainFindings: FindingWords
    private let otherFindings: FindingWords
    /// The language of the report, and the other one.
    let languages: (main: Language, other: Language)
    let secrets: SecretPolicy

    init(_ options: ReportOptions) {
        var second = options
        second.language = options.language == .english ? .chinese : .english
        languages = (options.language, second.language)
        secrets = options.secrets
        main = TextPage(options, TextReport.Page())
        other = TextPage(second, TextReport.Page())
        mainFindings = FindingWords(options)
        otherFindings = FindingWords(second)
    }

    /// Returns the text that `words` forms with the texts of a language.
    func both(_ words: (TextPage) -> String) -> PageText { PageText(words(main), words(other)) }

    /// Returns the text about findings that `words` forms with the texts of a language.
    func aboutFindings(_ words: (FindingWords) -> String) -> PageText {
        PageText(words(mainFindings), words(otherFindings))
    }

    /// Returns the texts that `words` forms with the texts of a language: as many in each.
    func lists(_ words: (TextPage) -> [String]) -> [PageText] {
        let second = words(other)
        return words(main).enumerated().map { PageText($1, second.indices.contains($0) ? second[$0] : nil) }
    }

    /// Likewise about findings.
    func findingLists(_ words: (FindingWords) -> [String]) -> [PageText] {
        let second = words(otherFindings)
        return words(mainFindings).enumerated().map { PageText($1, second.indices.contains($0) ? second[$0] : nil) }
    }

    /// Returns a label of the reports.
    func label(_ key: String, _ arguments: Text.Argument...) -> PageText {
        both { $0.catalogue.sentence(Text("label.\(key)", arguments: arguments)) }
    }

    /// Returns a label of the page.
    func page(_ key: String, _ arguments: Text.Argument...) -> PageText {
        both { $0.catalogue.sentence(Text("page.\(key)", arguments: arguments)) }
    }

    /// Returns the name of a measure or member: its label, or the name itself.
    func name(_ member: String) -> PageText {
        both { $0.catalogue.translation("page.member.\(member)") ?? member }
    }

    /// Returns the name of a fact about a session.
    func fact(_ member: String) -> PageText {
        both { $0.catalogue.translation("page.fact.\(member)") ?? MemberText.title(member) }
    }

    /// Returns a sentence.
    func sentence(_ text: Text) -> PageText { both { $0.catalogue.sentence(text) } }

    /// Returns a line, secrets masked.
    func line(_ wording: Wording) -> PageText { both { secrets.apply(text: $0.catalogue.line(wording)) } }

    /// Returns a message in one line, secrets masked.
    func summary(_ message: any Message) -> PageText { both { $0.catalogue.summary(message) } }
}
