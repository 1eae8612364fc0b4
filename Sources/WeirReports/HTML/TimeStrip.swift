import WeirEngine
import WeirPackets

/// The strip above everything: how many events there are over time, with the findings, and the place to drag a range.
struct TimeStrip {
    /// The number of columns, and the height of the strip in its own units.
    private static let (columns, height) = (200, 40.0)

    private let steps: [PageStep]
    private let scale: TimeScale
    private let words: PageWords

    init(_ steps: [PageStep], _ scale: TimeScale, _ words: PageWords) {
        self.steps = steps.filter { $0.offset != .max }
        self.scale = scale
        self.words = words
    }

    func write(id: String) -> HTMLWriter {
        var page = HTMLWriter()
        guard !steps.isEmpty else { return page }
        let width = Double(scale.milliseconds)
        var counts = [Int](repeating: 0, count: Self.columns)
        var looks: [String: Set<Int>] = [:]
        for step in steps {
            let column = min(Self.columns - 1, max(0, Int(scale.position(step.offset) / width * Double(Self.columns))))
            counts[column] += 1
            for finding in step.findings { looks[finding.look, default: []].insert(column) }
        }
        let most = Double(counts.max() ?? 1)
        let step = width / Double(Self.columns)
        var bars = ""
        for (column, count) in counts.enumerated() where count > 0 {
            // A single event beside hundreds stays visible.
            let part = 4 + (Self.height - 12) * (Double(count) / most).squareRoot()
            bars +=
                "M\(coordinate(Double(column) * step)) \(coordinate(Self.height))v\(coordinate(-part))"
                + "h\(coordinate(step * 0.8))v\(coordinate(part))z"
        }
        page.open("div", ["class": "timeline"])
        page.leaf("span", ["class": "name"], words.page("strip"))
        page.open("div", ["class": "strip plot"])
        page.markup("<svg viewBox=\"0 0 \(scale.milliseconds) 40\" preserveAspectRatio=\"none\" role=\"img\"")
        page.markup(" aria-label=\"")
        page.text(words.page("strip").main)
        page.markup("\"><path class=\"density\" d=\"\(bars)\"/>")
        for look in ["note", "warning", "error"] {
            guard let columns = looks[look] else { continue }
            let ticks = columns.sorted().map { "M\(coordinate((Double($0) + 0.4) * step)) 0v9" }.joined()
            page.markup("<path class=\"tick \(look)\" d=\"\(ticks)\"/>")
        }
        page.markup("</svg>")
        page.close("div")
        TimeAxis(scale).write(&page)
        page.close("div")
        page.markup("\n")
        return page
    }
}

/// The labels of a time axis: seconds since the first packet.
struct TimeAxis {
    private let scale: TimeScale

    init(_ scale: TimeScale) { self.scale = scale }

    func write(_ page: inout HTMLWriter) {
        let seconds = Double(scale.length) / 1_000_000_000
        let places = seconds >= 40 ? 0 : seconds >= 4 ? 1 : 3
        page.element("div", ["class": "axis", "aria-hidden": "true"]) { page in
            for quarter in 0...4 {
                page.leaf("span", [:], decimal(seconds * Double(quarter) / 4, places: places) + " s")
            }
        }
    }
}
