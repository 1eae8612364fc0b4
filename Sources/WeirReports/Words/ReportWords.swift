import WeirEngine

/// What the reports themselves say: headings, labels, figures.
enum ReportWords {
    static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}
