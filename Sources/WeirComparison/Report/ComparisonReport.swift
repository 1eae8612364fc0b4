package import WeirEngine
internal import WeirProtocols
internal import WeirReports

/// Writes comparisons.
package struct ComparisonReport {
    /// A format.
    package enum Format: String, Sendable, CaseIterable {
        case text, json, markdown, html
    }

    private let words: Words
    private let language: Language

    /// Creates a writer for a language.
    package init(_ language: Language = .english) {
        self.language = language
        words = Words(language, plugins: BuiltIn.plugins + [ComparisonWords.self])
    }

    /// Returns a comparison in a format.
    ///
    /// - Parameters:
    ///   - version: The version of the program.
    ///   - thresholds: The limits that are checked.
    package func write(
        _ comparison: Comparison, as format: Format, version: String, thresholds: [ComparisonThreshold] = []
    ) -> [UInt8] {
        let say = words.sentence
        if format == .json {
            return JSONDocument.octets(
                ComparisonDocument.fields(comparison, version: version, thresholds: thresholds, say))
        }
        var outline =
            switch comparison {
            case .places(let places): PlacesOutline.of(places, say)
            case .runs(let runs): RunsOutline.of(runs, say)
            }
        outline.lines(exceeded(thresholds, in: comparison))
        let text =
            switch format {
            case .markdown: ComparisonMarkdown.write(outline)
            case .html: ComparisonHTML.write(outline, language: language == .chinese ? "zh" : "en")
            case .text, .json: ComparisonText.write(outline)
            }
        return Array(text.utf8)
    }

    /// Returns the limits that are exceeded, and those that the captures do not show, as sentences.
    package func exceeded(_ thresholds: [ComparisonThreshold], in comparison: Comparison) -> [String] {
        thresholds.compactMap { threshold in
            let name = "\(threshold.figure.rawValue)>\(rounded(threshold.limit, places: 3))\(unit(threshold))"
            guard let value = threshold.value(in: comparison) else {
                return words.sentence(Text("diff.threshold.unknown", .string(name)))
            }
            guard threshold.isExceeded(in: comparison) else { return nil }
            return words.sentence(
                Text("diff.exceeded", .string(name), .string("\(rounded(value, places: 3))\(unit(threshold))")))
        }
    }

    private func unit(_ threshold: ComparisonThreshold) -> String {
        threshold.isPercentage ? "%" : threshold.figure.unit ?? ""
    }
}
