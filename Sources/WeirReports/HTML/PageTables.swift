import WeirEngine
import WeirPackets

/// The tables of streams and flows.
struct PageTables {
    /// The maximum number of rows.
    private static let mostRows = 200

    private let words: PageWords
    private let scale: TimeScale
    private let id: String

    init(_ words: PageWords, _ scale: TimeScale, id: String) {
        self.words = words
        self.scale = scale
        self.id = id
    }

    // MARK: - Streams

    /// Writes the streams of a session; those of none have no reference.
    func streams(_ streams: [StreamRecord], _ session: SessionReference?, _ page: inout HTMLWriter) {
        guard !streams.isEmpty else { return }
        page.markup("<div class=\"wide\"><table class=\"streams\"><thead><tr>")
        for (key, look) in [
            ("media", ""), ("id", ""), ("count", "n"), ("lost", "n"), ("jitter", "n"), ("maxJitter", "n"), ("fps", "n"),
            ("kilobits", "n"), ("keyframes", "n"),
        ] {
            page.leaf("th", ["scope": "col", "class": look], words.label("column.\(key)"))
        }
        page.markup("</tr></thead><tbody>\n")
        for stream in streams.sorted(by: { $0.id < $1.id }).prefix(Self.mostRows) { row(stream, session, &page) }
        page.markup("</tbody></table></div>")
        if streams.count > Self.mostRows {
            page.leaf("p", ["class": "more"], words.label("streams.more", .integer(streams.count - Self.mostRows)))
        }
    }

    private func row(_ stream: StreamRecord, _ session: SessionReference?, _ page: inout HTMLWriter) {
        let figures = stream.details.figures
        let isForward =
            session?.isForward(stream.direction, from: stream.source, to: stream.destination)
            ?? (stream.direction == .clientToServer)
        page.element("tr", [:]) { page in
            page.element("td") { page in
                page.leaf(
                    "a", ["href": "#\(id)m\(stream.id)"], PageText(isForward ? "→ " : "← ") + words.line(figures.name))
                guard !figures.notes.isEmpty else { return }
                page.leaf(
                    "div", ["class": "dim"],
                    words.both { text in
                        figures.notes.map { words.secrets.apply(text: text.catalogue.line($0)) }
                            .joined(separator: text.catalogue.comma)
                    })
            }
            page.leaf("td", ["class": "mono"], figures.id)
            // A narrow screen shows the heading beside each figure.
            func figure(_ column: String, _ text: String?, isBad: Bool = false) {
                let heading = words.label("column.\(column)").main
                page.leaf("td", ["class": isBad ? "n err" : "n", "data-h": heading], text ?? "")
            }
            figure("count", grouped(figures.count))
            figure("lost", figures.lostWords, isBad: (figures.lost ?? 0) > 0)
            figure("jitter", figures.jitter.map { decimal($0.mean, places: 1) })
            figure("maxJitter", figures.jitter.map { decimal($0.maximum, places: 1) })
            figure("fps", figures.frameRate.map { decimal($0, places: 1) })
            figure("kilobits", figures.kilobits.map { grouped($0) })
            figure("keyframes", figures.keyframeInterval.map { "\(decimal($0, places: 1)) s" })
        }
        page.markup("\n")
    }

    // MARK: - Contents

    /// Writes what a stream consists of.
    func contents(_ content: StreamTable, _ page: inout HTMLWriter) {
        page.leaf(
            "p", ["class": "parts"],
            words.both { text in
                content.title.map { words.secrets.apply(text: text.catalogue.line($0)) }
                    .joined(separator: text.catalogue.comma)
            })
        page.markup("<div class=\"wide\"><table class=\"streams\"><thead><tr>")
        for column in content.columns {
            page.leaf("th", ["scope": "col", "class": column.isNumber ? "n" : ""], words.line(column.heading))
        }
        page.markup("<td></td></tr></thead><tbody>\n")
        for row in content.rows.prefix(Self.mostRows) {
            page.element("tr", [:]) { page in
                for (column, cell) in zip(content.columns, row.cells) {
                    let heading = words.line(column.heading).main
                    page.leaf(
                        "td", ["class": column.isNumber ? "n" : "", "data-h": heading], words.line(cell))
                }
                page.leaf(
                    "td", ["class": "dim"],
                    words.both { text in
                        row.notes.map { words.secrets.apply(text: text.catalogue.line($0)) }
                            .joined(separator: text.catalogue.comma)
                    })
            }
            page.markup("\n")
        }
        page.markup("</tbody></table></div>")
        let left = content.rows.count - Self.mostRows
        if left > 0 { page.leaf("p", ["class": "more"], words.label("parts.more", .integer(left))) }
    }

    // MARK: - Flows

    /// Writes the flows of a capture, closed at first.
    func flows(_ flows: [FlowRecord], count: Int, _ page: inout HTMLWriter) {
        guard !flows.isEmpty else { return }
        page.open("details", ["class": "panel flows", "id": "\(id)-flows"])
        page.element("summary") { page in
            page.leaf("h3", [:], words.label(count == 1 ? "flows.one" : "flows", .integer(count)))
        }
        page.markup("<div class=\"wide\"><table><thead><tr>")
        for (key, look) in [
            ("flow", "n"), ("protocols", ""), ("ends", ""), ("start", "n"), ("lasted", "n"), ("packets", "n"),
            ("bytes", "n"),
            ("retransmitted", "n"), ("missing", "n"), ("closed", ""),
        ] {
            page.leaf("th", ["scope": "col", "class": look], words.page("flow.\(key)"))
        }
        page.markup("</tr></thead><tbody>\n")
        for flow in flows.sorted(by: { $0.id < $1.id }).prefix(Self.mostRows) { row(flow, &page) }
        page.markup("</tbody></table></div>")
        if count > Self.mostRows {
            page.leaf("p", ["class": "more"], words.page("more", .integer(count - Self.mostRows)))
        }
        page.close("details")
    }

    private func row(_ flow: FlowRecord, _ page: inout HTMLWriter) {
        page.element("tr") { page in
            page.leaf("td", ["class": "n"], String(flow.id))
            page.leaf("td", [:], flow.protocols.joined(separator: " "))
            page.leaf("td", ["class": "mono"], "\(flow.client) → \(flow.server)")
            page.leaf("td", ["class": "n"], scale.seconds(flow.startTime))
            page.leaf("td", ["class": "n"], duration(max(0, flow.endTime.seconds(since: flow.startTime))))
            page.leaf("td", ["class": "n"], both(flow.packets))
            page.leaf("td", ["class": "n"], both(flow.bytes))
            page.leaf(
                "td", ["class": "n"],
                flow.tcp.map { $0.retransmittedBytes > 0 ? grouped($0.retransmittedBytes) : "" } ?? "")
            page.leaf("td", ["class": "n"], flow.tcp.map { $0.missingBytes > 0 ? grouped($0.missingBytes) : "" } ?? "")
            page.leaf("td", [:], flow.tcp?.closedBy.rawValue ?? "")
        }
        page.markup("\n")
    }

    private func both(_ counts: Flow.PerDirection) -> String {
        "\(grouped(counts.clientToServer)) / \(grouped(counts.serverToClient))"
    }
}
