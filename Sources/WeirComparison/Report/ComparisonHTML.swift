internal import WeirReports

/// Writes a report as a page without external resources or scripts.
enum ComparisonHTML {
    /// Returns the page.
    static func write(_ outline: ReportOutline, language: String) -> String {
        var page = "<!DOCTYPE html>\n<html lang=\"\(language)\">\n<head>\n<meta charset=\"utf-8\">\n"
        page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        page +=
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        page += "<title>\(escaped(outline.title))</title>\n<style>\n\(style)</style>\n</head>\n<body>\n"
        page += "<h1>\(escaped(outline.title))</h1>\n"
        for block in outline.blocks {
            switch block {
            case .heading(let words): page += "<h2>\(escaped(words))</h2>\n"
            case .lines(let lines):
                page += "<ul>\n" + lines.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
            case .table(let table): page += write(table)
            case .ladder(let ladder): page += write(ladder)
            }
        }
        return page + "</body>\n</html>\n"
    }

    private static func write(_ table: ReportOutline.Table) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>"
                + cells.enumerated().map { column, cell in
                    "<\(tag)\(table.isNumeric[column] ? " class=\"n\"" : "")>\(escaped(cell))</\(tag)>"
                }.joined() + "</tr>\n"
        }
        return "<div class=\"scroll\"><table>\n<thead>\(row(table.columns, "th"))</thead>\n<tbody>\n"
            + table.rows.map { row($0, "td") }.joined() + "</tbody></table></div>\n"
    }

    /// Writes two ladders beside each other: in each, a line for either side, and an arrow for each step.
    private static func write(_ ladder: ReportOutline.Ladder) -> String {
        var text = "<div class=\"scroll\"><table class=\"ladder\">\n<thead><tr><td></td>"
        for title in [ladder.a, ladder.b] {
            text += "<td></td><th class=\"ends\"><span>\(escaped(ladder.ends.0))</span>"
            text += "<b>\(escaped(title))</b><span>\(escaped(ladder.ends.1))</span></th>"
        }
        text += "</tr></thead>\n<tbody>\n"
        for row in ladder.rows {
            let mark = row.difference.map { "<b>\($0)</b>" } ?? ""
            text += "<tr\(row.difference == nil ? "" : " class=\"d\"")><td class=\"n\">\(mark)</td>"
            text += cells(row.a) + cells(row.b) + "</tr>\n"
        }
        return text + "</tbody></table></div>\n"
    }

    private static func cells(_ step: ReportOutline.Ladder.Step?) -> String {
        guard let step else { return "<td class=\"n\"></td><td class=\"step gone\"></td>" }
        let arrow = step.isToRight.map { "<i class=\"\($0 ? "right" : "left")\">\($0 ? "▶" : "◀")</i>" } ?? ""
        return "<td class=\"n\" title=\"\(escaped(step.frame))\">\(escaped(step.offset))</td><td class=\"step\"><span>"
            + "<b>\(escaped(step.protocolName))</b> \(escaped(step.words))</span>\(arrow)</td>"
    }

    /// Returns text whose characters have no meaning in HTML.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in Printable.clean(text).unicodeScalars {
            switch character {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static let style = """
        :root { color-scheme: light dark; --mark: #fff1c2; --gone: #f3d6d6; --line: #c9c9c9; }
        @media (prefers-color-scheme: dark) { :root { --mark: #4a3f14; --gone: #4b2525; --line: #555; } }
        body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5rem; }
        h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin-top: 1.6rem; }
        table { border-collapse: collapse; } th, td { padding: .2rem .5rem; text-align: left; vertical-align: top; }
        th { border-bottom: 1px solid var(--line); } .n { text-align: right; font-variant-numeric: tabular-nums; }
        .scroll { overflow-x: auto; } .ladder { width: 100%; min-width: 46rem; table-layout: fixed; }
        .ladder th:nth-child(1) { width: 2rem; } .ladder th:nth-child(2), .ladder th:nth-child(4) { width: 4.5rem; }
        th.ends { padding: .2rem 0; } th.ends b { position: absolute; left: 50%; } th.ends { position: relative; }
        th.ends span:first-child { float: left; } th.ends span:last-child { float: right; }
        td.step { border: solid var(--line); border-width: 0 2px; padding: .25rem 0; overflow-wrap: anywhere; }
        td.step span { display: block; padding: 0 .6rem; }
        td.step i { display: block; height: 0; margin: .45rem 0; border-top: 1px solid; line-height: 0; font-style: normal; font-size: .6rem; }
        td.step i.right { text-align: right; }
        tr.d { background: var(--mark); } tr.d td.gone { background: var(--gone); }

        """
}
