import WeirEngine
import WeirPackets

/// The frame of the page: head, verdict, controls, and the end with the script.
struct PageDocument {
    /// A capture of the page.
    struct Entry {
        var file: String
        var counts: FindingCounts
        var isDamaged: Bool
        /// How many sessions failed, and how many there are.
        var sessions: (failed: Int, all: Int)
    }

    let words: PageWords
    let version: String

    /// The style and the script: the only ones that the page's policy allows.
    static let style = PackageResources.page_css
    static let script = PackageResources.page_js

    /// No request to anywhere, and nothing is executed or styled but what belongs to the page.
    static let policy =
        "default-src 'none'; style-src 'sha256-\(Digest256.base64(style))'; "
        + "script-src 'sha256-\(Digest256.base64(script))'; base-uri 'none'; form-action 'none'"

    /// Returns everything before the captures.
    func head(_ captures: [Entry], _ run: RunVerdict?) -> [UInt8] {
        var page = HTMLWriter()
        let language = words.languages.main.rawValue
        page.markup("<!DOCTYPE html>\n<html lang=\"\(language)\"><head><meta charset=\"utf-8\">")
        page.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\">")
        page.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        page.markup(
            "<meta name=\"referrer\" content=\"no-referrer\"><meta name=\"color-scheme\" content=\"light dark\">")
        page.leaf("title", [:], PageText(title(captures)))
        page.markup("<style>")
        page.raw(Self.style)
        page.markup("</style></head>\n<body data-other=\"\(words.languages.other.rawValue)\">")
        page.element("a", ["class": "skip", "href": "#main"]) { $0.leaf("span", [:], words.page("skip")) }
        bar(captures, run, &page)
        page.markup("<main id=\"main\">\n")
        verdict(captures, run, &page)
        return page.octets
    }

    /// Returns everything behind the captures.
    func end() -> [UInt8] {
        var page = HTMLWriter()
        page.element("footer") { page in
            page.leaf("p", [:], "Weir \(version)")
        }
        page.markup("</main>\n")
        page.element("aside", ["id": "details", "hidden": "", "aria-label": words.page("details").main]) { _ in }
        labels(&page)
        page.markup("<script>")
        page.raw(Self.script)
        page.markup("</script></body></html>\n")
        return page.octets
    }

    private func title(_ captures: [Entry]) -> String {
        let name = captures.first.map { $0.file.split(separator: "/").last.map(String.init) ?? $0.file } ?? ""
        return (name.isEmpty ? "Weir" : "Weir: \(name)") + (captures.count > 1 ? " +\(captures.count - 1)" : "")
    }

    // MARK: - The top

    /// Writes the bar with the controls, which need the script.
    private func bar(_ captures: [Entry], _ run: RunVerdict?, _ page: inout HTMLWriter) {
        page.element("header", ["class": "menu"]) { page in
            page.leaf("a", ["class": "brand", "href": "#main"], "Weir")
            page.leaf("span", ["class": "file"], captures.count == 1 ? captures.first?.file ?? "" : title(captures))
            page.element("form", ["class": "controls", "role": "search", "hidden": ""]) { page in
                page.element("label", ["class": "find"]) { page in
                    page.leaf("span", [:], words.page("search"))
                    page.markup("<input id=\"q\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">")
                }
                page.markup("<output id=\"hits\"></output>")
                page.markup("<button type=\"button\" id=\"range\" hidden></button>")
                button("lang", words.languages.other == .chinese ? PageText("中文") : PageText("English"), &page)
                button("theme", words.page("theme"), &page)
                button("help", words.page("keys"), &page)
            }
        }
    }

    private func button(_ id: String, _ text: PageText, _ page: inout HTMLWriter) {
        page.leaf("button", ["type": "button", "id": id], text)
    }

    private func verdict(_ captures: [Entry], _ run: RunVerdict?, _ page: inout HTMLWriter) {
        let isWhole = run?.isWhole ?? captures.allSatisfy { !$0.isDamaged }
        let counts = run?.counts ?? captures.reduce(FindingCounts()) { $0 + $1.counts }
        let isIdle = run.map { $0.judged == 0 && $0.unread.isEmpty } ?? false
        let isWell = run.map { !$0.isFailed && isWhole } ?? isWhole
        let look = isIdle ? "idle" : isWell ? "passed" : "failed"
        page.element("section", ["class": "verdict \(look)", "id": "verdict"]) { page in
            page.element("h1") { page in
                page.leaf("strong", [:], isIdle ? words.page("idle") : words.label(look))
                page.leaf("span", [:], words.aboutFindings { $0.tally(counts) ?? $0.label("nothingFound") })
                let failed = captures.reduce(0) { $0 + $1.sessions.failed }
                if failed > 0 {
                    let all = captures.reduce(0) { $0 + $1.sessions.all }
                    page.leaf("span", [:], words.page("failedSessions", .integer(failed), .integer(all)))
                }
            }
            index(captures, &page)
            let remarks = run.map { run in words.findingLists { $0.remarks(run) } } ?? []
            guard !remarks.isEmpty else { return }
            page.element("ul", ["class": "remarks"]) { page in
                for remark in remarks { page.leaf("li", [:], remark) }
            }
        }
        page.markup("\n")
    }

    /// Writes a line for each of several captures.
    private func index(_ captures: [Entry], _ page: inout HTMLWriter) {
        guard captures.count > 1 else { return }
        page.element("ol", ["class": "index"]) { page in
            for (number, capture) in captures.enumerated() {
                page.element("li") { page in
                    page.leaf("a", ["href": "#c\(number + 1)"], capture.file)
                    page.leaf(
                        "span", ["class": "dim"],
                        words.aboutFindings { $0.tally(capture.counts) ?? $0.label("nothingFound") })
                }
            }
        }
    }

    // MARK: - The end

    /// Writes the texts that the script needs.
    private func labels(_ page: inout HTMLWriter) {
        page.element("template", ["id": "labels"]) { page in
            for key in Self.scriptLabels { page.leaf("i", ["id": "t-\(key)"], words.page("js.\(key)")) }
        }
        page.element("dialog", ["id": "keys", "aria-labelledby": "keys-title"]) { page in
            page.leaf("h2", ["id": "keys-title"], words.page("keys"))
            page.element("dl") { page in
                for (keys, text) in Self.keys {
                    page.element("div") { page in
                        page.element("dt") { page in
                            for key in keys { page.leaf("kbd", [:], key) }
                        }
                        page.leaf("dd", [:], words.page("key.\(text)"))
                    }
                }
            }
            page.element("form", ["method": "dialog"]) { $0.leaf("button", [:], words.page("close")) }
        }
    }

    static let scriptLabels = [
        "frame", "frames", "time", "flow", "from", "to", "latency", "answers", "findings", "fields", "note", "remarks",
        "expected", "actual", "clause", "fix", "quirk", "waived", "close", "hits", "noHits", "range", "previous",
        "next",
        "session", "stream", "dropped", "record", "more",
    ]

    static let keys: [(keys: [String], text: String)] = [
        (["j", "↓"], "down"), (["k", "↑"], "up"), (["Enter"], "open"), (["f"], "finding"),
        (["Shift", "f"], "findingBack"),
        (["s"], "session"), (["Shift", "s"], "sessionBack"), (["/"], "search"), (["n"], "hit"),
        (["Shift", "n"], "hitBack"),
        (["e"], "unfold"), (["["], "rangeFrom"), (["]"], "rangeTo"), (["+", "−"], "zoom"), (["0"], "whole"),
        (["l"], "language"), (["t"], "theme"), (["Esc"], "escape"), (["?"], "help"),
    ]
}
