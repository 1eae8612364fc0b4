import WeirEngine

/// A graph over the time axis of a capture, with the measured minimum, mean and maximum, and the allowed range.
struct Graph {
    /// How the values are drawn.
    enum Look: String {
        /// One column per interval.
        case columns
        /// A line through the values at the ends of the intervals.
        case line
        /// A value that holds until the next.
        case steps
        /// Separate points.
        case points
    }

    /// A value from a position to another, in milliseconds.
    struct Value {
        var from: Double
        var to: Double
        var value: Double
    }

    /// A mark on the time axis.
    struct Mark {
        var position: Double
        var look: String
    }

    /// The height in its own units, and the share of it above the highest value.
    private static let (height, headroom) = (100.0, 8.0)

    var title: PageText
    var unit: String
    var look = Look.line
    /// `good`, `bad` or `plain`: the color of the values.
    var tone = "plain"
    var values: [Value]
    var marks: [Mark] = []
    var allowed: (least: Double?, most: Double?) = (nil, nil)
    /// Values to compare with, drawn as lines where they are in range.
    var lines: [Double] = []
    /// The sum that is shown instead of the mean, for counts.
    var total: Double?
    var remark: PageText?

    func write(_ scale: TimeScale, _ words: PageWords, _ page: inout HTMLWriter) {
        guard !values.isEmpty else { return }
        let numbers = values.map(\.value)
        let (least, most) = (numbers.min() ?? 0, numbers.max() ?? 0)
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let isSigned = least < 0
        let top = Self.top([most, -least, allowed.most ?? 0, allowed.least ?? 0].max() ?? 0)
        let start = (values.map(\.from).min() ?? 0).rounded(.down)
        let isOutside = allowed.most.map { most > $0 } ?? false || allowed.least.map { least < $0 } ?? false
        page.open("figure", ["class": "graph \(look.rawValue) \(tone)"])
        page.element("figcaption") { page in
            page.leaf("b", [:], title)
            if !unit.isEmpty { page.leaf("span", ["class": "unit"], unit) }
            page.element("span", ["class": "stat"]) { page in
                // A value that holds has a minimum and a maximum; its mean would need the times.
                let middle = total.map { [("total", $0)] } ?? (look == .steps ? [] : [("mean", mean)])
                let figures = [("min", least)] + middle + [("max", most)]
                guard least < most else { return page.leaf("b", [:], MemberText.compact(most)) }
                for (name, value) in figures {
                    page.leaf("span", [:], words.page("stat.\(name)"))
                    page.leaf("b", [:], MemberText.compact(value))
                }
            }
            if let bounds = bounds {
                page.leaf(
                    "span", ["class": isOutside ? "bounds bad" : "bounds"], words.page("required", .string(bounds)))
            }
            if let remark { page.leaf("span", ["class": "dim"], remark) }
        }
        page.open("div", ["class": "plot"])
        page.markup(
            "<svg \(scale.viewBox(from: start, height: 100)) preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
        page.text(
            "\(title.main)\(unit.isEmpty ? "" : ", \(unit)"): \(MemberText.compact(least))–\(MemberText.compact(most))")
        page.markup("\">")
        let (left, right) = (coordinate(-start), coordinate(Double(scale.milliseconds) - start))
        range(top, left, right, &page)
        for line in lines where line < top && !isSigned {
            page.markup("<path class=\"line\" d=\"M\(left) \(coordinate(y(line, top)))H\(right)\"/>")
        }
        if isSigned { page.markup("<path class=\"line\" d=\"M\(left) 50H\(right)\"/>") }
        let name = look == .columns ? "area" : look == .points ? "dots" : "curve"
        page.markup("<path class=\"\(name)\" d=\"\(path(top, from: start, isSigned: isSigned))\"/>")
        for look in Set(marks.map(\.look)).sorted() {
            let ticks = marks.filter { $0.look == look }.map { "M\(coordinate($0.position - start)) 0v7" }.joined()
            page.markup("<path class=\"tick \(look)\" d=\"\(ticks)\"/>")
        }
        page.markup("</svg>")
        let upper = top * (Self.height - Self.headroom) / Self.height
        page.leaf("span", ["class": "top"], MemberText.compact(upper))
        page.leaf("span", ["class": "zero"], isSigned ? MemberText.compact(-upper) : "0")
        page.close("div")
        page.close("figure")
        page.markup("\n")
    }

    private var bounds: String? {
        switch allowed {
        case (let least?, let most?): "\(MemberText.compact(least))–\(MemberText.compact(most))"
        case (let least?, nil): "≥ \(MemberText.compact(least))"
        case (nil, let most?): "≤ \(MemberText.compact(most))"
        case (nil, nil): nil
        }
    }

    /// Writes the allowed range as a band, and its bounds as lines.
    private func range(_ top: Double, _ left: String, _ right: String, _ page: inout HTMLWriter) {
        guard allowed.least != nil || allowed.most != nil else { return }
        let (upper, lower) = (y(allowed.most ?? top, top), y(allowed.least ?? 0, top))
        page.markup(
            "<path class=\"allowed\" d=\"M\(left) \(coordinate(upper))H\(right)V\(coordinate(lower))H\(left)z\"/>")
        for bound in [allowed.least, allowed.most] {
            guard let bound else { continue }
            page.markup("<path class=\"bound\" d=\"M\(left) \(coordinate(y(bound, top)))H\(right)\"/>")
        }
    }

    private func path(_ top: Double, from start: Double, isSigned: Bool) -> String {
        var path = ""
        var last: Double?
        for value in values {
            let (from, to) = (coordinate(value.from - start), coordinate(value.to - start))
            let height = coordinate(
                isSigned ? (Self.height - value.value / top * Self.height) / 2 : y(value.value, top))
            switch look {
            case .columns:
                guard value.value != 0 else { continue }
                path += "M\(from) 100V\(height)H\(to)V100z"
            case .line: path += "\(last == nil ? "M" : "L")\(to) \(height)"
            case .steps:
                path += last == nil ? "M\(from) \(height)" : "H\(from)V\(height)"
                path += "H\(to)"
            case .points: path += "M\(from) \(height)h0"
            }
            last = value.value
        }
        return path
    }

    private func y(_ value: Double, _ top: Double) -> Double {
        Self.height - min(max(0, value), top) / top * Self.height
    }

    /// Returns a value for the upper edge: a round number at the label, with headroom.
    private static func top(_ most: Double) -> Double {
        guard most > 0, most.isFinite else { return 1 }
        var unit = 1.0
        while unit * 10 <= most { unit *= 10 }
        while unit > most { unit /= 10 }
        let nice = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].first { $0 * unit >= most } ?? 10
        return nice * unit * height / (height - headroom)
    }
}
