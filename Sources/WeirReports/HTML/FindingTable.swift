import WeirEngine

/// The table of findings, repetitions folded: rule, what, clause, fix, and where to look.
struct FindingTable {
    /// The maximum number of frames named in a row.
    private static let mostRows = 400

    private let words: PageWords
    private let id: String
    private let known: Set<Int>
    private let sessions: Set<Int>

    /// - Parameters:
    ///   - known: The events on the page.
    ///   - sessions: The sessions with a section.
    init(_ words: PageWords, id: String, known: Set<Int>, sessions: Set<Int>) {
        self.words = words
        self.id = id
        self.known = known
        self.sessions = sessions
    }

    func write(_ folds: [CheckedCapture.Fold], _ page: inout HTMLWriter) {
        page.markup("<div class=\"wide\"><table class=\"findings\"><thead><tr>")
        for key in ["severity", "rule", "finding", "clause", "place"] {
            page.leaf("th", ["scope": "col", "class": key == "place" ? "n" : ""], words.label("column.\(key)"))
        }
        page.markup("</tr></thead><tbody>\n")
        for fold in folds.prefix(Self.mostRows) { row(fold, &page) }
        page.markup("</tbody></table></div>")
        if folds.count > Self.mostRows {
            page.leaf("p", ["class": "more"], words.label("unlisted", .integer(folds.count - Self.mostRows)))
        }
    }

    private func row(_ fold: CheckedCapture.Fold, _ page: inout HTMLWriter) {
        let finding = fold.finding
        let look = PageCapture.look(finding)
        page.element("tr", ["class": look]) { page in
            page.element("td") { page in
                page.leaf("span", ["class": "chip \(look)"], words.aboutFindings { $0.severity(finding) })
                if fold.repeats > 0 { page.leaf("span", ["class": "times"], "×\(fold.repeats + 1)") }
            }
            page.leaf("td", ["class": "mono rule"], finding.rule)
            page.element("td", ["class": "what"]) { page in
                page.leaf("p", [:], words.aboutFindings { $0.sentence(finding) })
                let repeats = words.aboutFindings { $0.repeats(fold) ?? "" }
                if !repeats.main.isEmpty { page.leaf("p", ["class": "dim"], repeats) }
                if finding.verdict == .fail {
                    let mend = words.aboutFindings { words in
                        words.mend(finding).map { words.label("mend", .string($0)) } ?? ""
                    }
                    if !mend.main.isEmpty { page.leaf("p", ["class": "dim"], mend) }
                }
                if finding.isKnown {
                    page.leaf("p", ["class": "dim"], words.label("isKnown"))
                } else if let reason = finding.waivedBy {
                    page.leaf("p", ["class": "dim"], words.label("isWaived", .string(reason)))
                }
            }
            page.leaf("td", ["class": "clause"], finding.reference)
            page.element("td", ["class": "n place"]) { page in
                if let event = finding.event, known.contains(event) {
                    page.leaf("a", ["href": "#\(id)e\(event)"], finding.frame.map { "#\($0)" } ?? "#")
                } else if let session = finding.session, sessions.contains(session) {
                    page.leaf("a", ["href": "#\(id)s\(session)"], finding.frame.map { "#\($0)" } ?? String(session))
                } else if let frame = finding.frame {
                    page.text("#\(frame)")
                }
            }
        }
        page.markup("\n")
    }
}
