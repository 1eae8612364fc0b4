import WeirEngine

/// The candidate pairs of a session: checks, answers, round trip, and which one was nominated and selected.
struct PairTable {
    /// The maximum number of rows.
    private static let mostRows = 200

    private let words: PageWords
    private let id: String

    init(_ words: PageWords, id: String) {
        self.words = words
        self.id = id
    }

    func write(_ facts: [Field], _ page: inout HTMLWriter) {
        guard case .array(let pairs)? = MemberText.value("candidatePairs", in: facts), !pairs.isEmpty else { return }
        let types = types(facts)
        let selected = selected(facts)
        page.element("section", ["class": "panel pairs"]) { page in
            page.leaf("h4", [:], words.page("pairs"))
            // It has no links on a failed call, so that the keyboard could not scroll it.
            page.markup("<div class=\"wide\" tabindex=\"0\"><table><thead><tr>")
            for (key, look) in [
                ("state", ""), ("local", ""), ("remote", ""), ("checks", "n"), ("answered", "n"), ("rtt", "n"),
                ("checksBack", "n"), ("answeredBack", "n"), ("rttBack", "n"), ("nominated", "n"), ("why", ""),
            ] {
                page.leaf("th", ["scope": "col", "class": look], words.page("pair.\(key)"))
            }
            page.markup("</tr></thead><tbody>\n")
            for case .object(let pair) in pairs.prefix(Self.mostRows) { row(pair, types, selected, &page) }
            page.markup("</tbody></table></div>")
            if pairs.count > Self.mostRows {
                page.leaf("p", ["class": "more"], words.page("more", .integer(pairs.count - Self.mostRows)))
            }
        }
    }

    private func row(_ pair: [Field], _ types: [String: String], _ selected: Set<String>, _ page: inout HTMLWriter) {
        let (local, remote) = (endpoint("local", pair), endpoint("remote", pair))
        let isSelected = selected.contains("\(local) \(remote)")
        let nominated = number("nominatedFrame", pair)
        let sides = ["fromLocal", "fromRemote"].map { side -> [Field] in
            if case .object(let fields)? = MemberText.value(side, in: pair) { fields } else { [] }
        }
        let answered = sides.map { (number("answered", $0) ?? 0) > 0 }
        let isHalf = zip(sides, answered).contains { side, isAnswered in
            !isAnswered && (number("checks", side) ?? 0) > 0
        }
        let state =
            isSelected
            ? "selected"
            : nominated != nil
                ? "nominated" : !answered.contains(true) ? "unanswered" : isHalf ? "half" : "answered"
        page.element("tr", ["class": state]) { page in
            page.element("td") { $0.leaf("span", ["class": "chip \(state)"], words.page("pair.state.\(state)")) }
            for (end, name) in [(local, "local"), (remote, "remote")] {
                page.element("td", ["class": "mono"]) { page in
                    page.text(end)
                    if let type = types[end] { page.leaf("small", [:], " \(type)") }
                    if name == "local", MemberText.value("relayed", in: pair) == .bool(true), types[end] != "relay" {
                        page.leaf("small", [:], " relayed")
                    }
                }
            }
            let columns = [("checks", "checks"), ("answered", "answered"), ("roundTripMs", "rtt")]
            for (side, suffix) in zip(sides, ["", "Back"]) {
                for (member, column) in columns {
                    let text = MemberText.value(member, in: side).flatMap(MemberText.line) ?? ""
                    // A narrow screen shows the heading beside each figure.
                    page.leaf("td", ["class": "n", "data-h": words.page("pair.\(column)\(suffix)").main], text)
                }
            }
            page.element("td", nominated == nil ? [:] : ["class": "n", "data-h": words.page("pair.nominated").main]) {
                page in
                guard let nominated else { return }
                page.leaf("a", ["class": "frame", "href": "#\(id)", "data-frame": String(nominated)], "#\(nominated)")
            }
            let checks = sides.reduce(0) { $0 + (number("checks", $1) ?? 0) }
            page.leaf("td", ["class": "why"], words.page("pair.why.\(state)", .integer(checks)))
        }
        page.markup("\n")
    }

    /// Returns the types of signaled candidates by endpoint.
    private func types(_ facts: [Field]) -> [String: String] {
        guard case .array(let candidates)? = MemberText.value("candidates", in: facts) else { return [:] }
        var types: [String: String] = [:]
        for case .object(let candidate) in candidates {
            guard case .string(let address)? = MemberText.value("address", in: candidate),
                case .integer(let port)? = MemberText.value("port", in: candidate),
                case .string(let type)? = MemberText.value("type", in: candidate)
            else { continue }
            types[address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"] = type
        }
        return types
    }

    /// Returns the selected pair, or that of each transport.
    private func selected(_ facts: [Field]) -> Set<String> {
        var found: Set<String> = []
        func note(_ members: [Field]) {
            guard case .object(let pair)? = MemberText.value("selectedPair", in: members) else { return }
            // Which side is local depends on who began.
            let (local, remote) = (endpoint("local", pair), endpoint("remote", pair))
            found.formUnion(["\(local) \(remote)", "\(remote) \(local)"])
        }
        note(facts)
        if case .array(let transports)? = MemberText.value("transports", in: facts) {
            for case .object(let transport) in transports { note(transport) }
        }
        return found
    }

    private func endpoint(_ name: String, _ fields: [Field]) -> String {
        guard case .object(let members)? = MemberText.value(name, in: fields) else { return "" }
        return MemberText.endpoint(members) ?? ""
    }

    private func number(_ name: String, _ fields: [Field]) -> Int? {
        if case .integer(let number)? = MemberText.value(name, in: fields) { number } else { nil }
    }
}
