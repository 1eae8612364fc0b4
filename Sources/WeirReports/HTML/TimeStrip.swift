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
        var bars = ""
        for (column, count) in counts.enumerated() where count > 0 {
            // A single event beside hundreds stays visible.
            let part = 4 + (Self.height - 12) * (Double(count) / most).squareRoot()
            bars +=
                "M\(column) \(coordinate(Self.height))v\(coordinate(-part))"
                + "h0.8v\(coordinate(part))z"
        }
        page.open("div", ["class": "timeline"])
        page.leaf("span", ["class": "name"], words.page("strip"))
        page.open("div", ["class": "strip plot"])
        page.markup("<svg viewBox=\"0 0 \(Self.columns) 40\" preserveAspectRatio=\"none\" role=\"img\"")
        page.markup(" aria-label=\"")
        page.text(words.page("strip").main)
        page.markup("\"><path class=\"density\" d=\"\(bars)\"/>")
        for look in ["note", "warning", "error"] {
            guard let columns = looks[look] else { continue }
            let ticks = columns.sorted().map { "M\(coordinate(Double($0) + 0.4)) 0v9" }.joined()
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

/// The labels of a time axis at round values: seconds since the first packet.
struct TimeAxis {
    private let scale: TimeScale

    init(_ scale: TimeScale) { self.scale = scale }

    /// The maximum number of intervals between labels, and the part of the axis that a label takes.
    private static let (most, width) = (6.0, 0.04)

    func write(_ page: inout HTMLWriter) {
        let seconds = Double(scale.length) / 1_000_000_000
        let step = Self.step(seconds / Self.most)
        let places = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
        page.open("div", ["class": "axis", "aria-hidden": "true"])
        page.element("svg") { page in
            for index in 0...Int(seconds / step) {
                let part = Double(index) * step / seconds
                let anchor = index == 0 ? "start" : part > 1 - Self.width ? "end" : "middle"
                let place = "\(decimal(part * 100, places: 2))%"
                page.markup("<line x1=\"\(place)\" x2=\"\(place)\" y2=\"4\"/>")
                page.leaf(
                    "text", ["x": place, "y": "15", "text-anchor": anchor],
                    decimal(Double(index) * step, places: places) + " s")
            }
        }
        page.close("div")
    }

    /// Returns the smallest of 1, 2 or 5 times a power of ten that is not below a value.
    private static func step(_ least: Double) -> Double {
        var unit = 0.001
        while unit * 10 <= least { unit *= 10 }
        return [1, 2, 5].map { $0 * unit }.first { $0 >= least } ?? unit * 10
    }
}
