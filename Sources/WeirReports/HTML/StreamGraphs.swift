import WeirEngine
import WeirPackets

/// The graphs of a session: for each stream its series, then what events report over time.
struct StreamGraphs {
    /// The maximum number of streams with graphs in a session.
    private static let mostStreams = 12
    /// The part of an interval that a stream's last one must cover to be drawn.
    private static let leastPart = 0.3

    let capture: PageCapture
    let words: PageWords
    let scale: TimeScale
    private let id: String

    init(_ capture: PageCapture, _ words: PageWords, _ scale: TimeScale, id: String) {
        self.capture = capture
        self.words = words
        self.scale = scale
        self.id = id
    }

    func write(_ streams: [StreamRecord], _ session: Int?, _ steps: [PageStep], _ page: inout HTMLWriter) {
        let curves = session.map { announced($0) } ?? []
        guard !streams.isEmpty || !curves.isEmpty else { return }
        page.open("section", ["class": "graphs", "id": "\(id)\(session.map { "s\($0)" } ?? "s0")-graphs"])
        page.leaf("h4", [:], words.page("graphs"))
        let sorted = streams.sorted { $0.id < $1.id }
        let skew = skew(sorted)
        for (index, stream) in sorted.prefix(Self.mostStreams).enumerated() {
            write(stream, bar: index, steps.filter { $0.stream == stream.id }, &page)
        }
        if sorted.count > Self.mostStreams {
            page.leaf("p", ["class": "more"], words.label("streams.more", .integer(sorted.count - Self.mostStreams)))
        }
        if let skew {
            page.element("section", ["class": "stream"]) { page in
                page.leaf("h5", [:], words.page("together"))
                page.element("div", ["class": "grid"]) { skew.write(scale, words, &$0) }
                TimeAxis(scale).write(&page)
            }
        }
        if !curves.isEmpty {
            page.element("section", ["class": "stream"]) { page in
                page.leaf("h5", [:], words.page("announced"))
                page.element("div", ["class": "grid"]) { page in
                    for graph in curves { graph.write(scale, words, &page) }
                }
                TimeAxis(scale).write(&page)
            }
        }
        page.close("section")
        page.markup("\n")
    }

    // MARK: - A stream

    private func write(_ stream: StreamRecord, bar: Int, _ steps: [PageStep], _ page: inout HTMLWriter) {
        let fields = stream.details.fields(words.secrets)
        page.open("section", ["class": "stream b\(bar % LadderBars.most)", "id": "\(id)m\(stream.id)"])
        page.element("h5") { page in
            if bar < LadderBars.most { page.markup("<i class=\"swatch\"></i>") }
            page.leaf("span", [:], words.line(stream.details.figures.name))
            page.leaf(
                "small", ["class": "mono"], "\(stream.details.figures.id)  \(stream.source) → \(stream.destination)")
        }
        for table in stream.details.tables { PageTables(words, scale, id: id).contents(table, &page) }
        let freezes = freezes(stream, fields)
        if !freezes.isEmpty { list(freezes, fields, &page) }
        presence(stream, steps, freezes, &page)
        var graphs = series(fields, stream, steps)
        graphs += reported(stream, fields)
        if !graphs.isEmpty {
            page.element("div", ["class": "grid"]) { page in
                for graph in graphs { graph.write(scale, words, &page) }
            }
        }
        TimeAxis(scale).write(&page)
        page.close("section")
        page.markup("\n")
    }

    /// Writes when the stream runs, with its key frames and gaps.
    private func presence(
        _ stream: StreamRecord, _ steps: [PageStep], _ freezes: [Freeze], _ page: inout HTMLWriter
    ) {
        let (from, to) = (scale.position(stream.startTime), scale.position(stream.endTime))
        let start = from.rounded(.down)
        let marks = Self.marks(steps, scale)
        page.open("div", ["class": "presence plot"])
        page.markup(
            "<svg \(scale.viewBox(from: start, height: 20)) preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
        page.text(words.page("presence").main)
        page.markup(
            "\"><path class=\"span\" d=\"\(bar(from - start, to - start))\"/>")
        for freeze in freezes {
            page.markup("<path class=\"frozen\" d=\"\(bar(freeze.from - start, freeze.to - start))\"/>")
        }
        for look in ["keyframe", "gap"] {
            let ticks = marks.filter { $0.look == look }.map {
                "M\(coordinate($0.position - start)) \(look == "gap" ? "2v16" : "5v10")"
            }
            if !ticks.isEmpty { page.markup("<path class=\"tick \(look)\" d=\"\(ticks.joined())\"/>") }
        }
        page.markup("</svg>")
        page.close("div")
    }

    private func bar(_ from: Double, _ to: Double) -> String {
        "M\(coordinate(from)) 5H\(coordinate(max(from, to)))v10H\(coordinate(from))z"
    }

    private static func marks(_ steps: [PageStep], _ scale: TimeScale) -> [Graph.Mark] {
        steps.filter { $0.kind == "keyframe" || $0.kind == "gap" }.map {
            Graph.Mark(position: scale.position($0.offset), look: $0.kind)
        }
    }

    // MARK: - Freezes

    /// A period in which the picture of a stream was frozen, in milliseconds from the first packet of the capture.
    private struct Freeze {
        var from: Double
        var to: Double
    }

    /// The maximum number of freezes named, and the time shown before and after one.
    private static let (mostFreezes, around) = (12, 500.0)

    private func freezes(_ stream: StreamRecord, _ fields: [Field]) -> [Freeze] {
        guard case .object(let pictures)? = MemberText.value("pictures", in: fields),
            case .array(let periods)? = MemberText.value("periods", in: pictures)
        else { return [] }
        let start = scale.position(stream.startTime)
        return periods.compactMap { period in
            guard case .object(let members) = period,
                let after = MemberText.value("afterSeconds", in: members).flatMap(Self.number),
                let length = MemberText.value("ms", in: members).flatMap(Self.number)
            else { return nil }
            return Freeze(from: start + after * 1_000, to: start + after * 1_000 + length)
        }
    }

    /// Writes when the picture was frozen, and for how long; each time leads to its range.
    private func list(_ freezes: [Freeze], _ fields: [Field], _ page: inout HTMLWriter) {
        guard case .object(let pictures)? = MemberText.value("pictures", in: fields),
            let total = MemberText.value("freezeMs", in: pictures).flatMap(Self.number)
        else { return }
        page.element("p", ["class": "freezes"]) { page in
            page.leaf(
                "b", [:], words.page("frozen", .string(duration(total / 1_000)), .integer(freezes.count)))
            for freeze in freezes.prefix(Self.mostFreezes) {
                let (from, to) = (max(0, freeze.from - Self.around), freeze.to + Self.around)
                page.leaf(
                    "a",
                    [
                        "href": "#capture=\(id)&from=\(decimal(from / 1_000, places: 3))"
                            + "&to=\(decimal(to / 1_000, places: 3))"
                    ],
                    words.page(
                        "freeze", .string(decimal(freeze.from / 1_000, places: 3)),
                        .string(duration((freeze.to - freeze.from) / 1_000))))
            }
            if freezes.count > Self.mostFreezes {
                page.leaf("span", ["class": "dim"], words.page("more", .integer(freezes.count - Self.mostFreezes)))
            }
        }
    }

    // MARK: - Series

    /// How a column of a series is drawn.
    private struct Measure {
        var column: String
        var unit: String
        var look: Graph.Look
        var tone = "plain"
        /// Whether the values are counts, drawn per second.
        var isRate = false
        var factor = 1.0
        /// The column that the values are divided by, and the name of the quotient.
        var quotient: (column: String, name: String)?
        /// The requirement of a profile about it, and the factor from the requirement's unit.
        var requirement: (name: String, factor: Double)?
    }

    private static let measures = [
        Measure(
            column: "bytes", unit: "kbit/s", look: .columns, isRate: true, factor: 0.008,
            requirement: ("bit-rate", 0.001)),
        Measure(column: "packets", unit: "1/s", look: .columns, isRate: true),
        Measure(column: "messages", unit: "1/s", look: .columns, isRate: true),
        Measure(column: "frames", unit: "fps", look: .columns, isRate: true, requirement: ("frame-rate", 1)),
        Measure(
            column: "bytes", unit: "kB", look: .columns, factor: 0.001, quotient: (column: "frames", name: "frameBytes")
        ),
        Measure(column: "lost", unit: "", look: .columns, tone: "bad"),
        Measure(column: "recovered", unit: "", look: .columns, tone: "good"),
        Measure(column: "retransmitted", unit: "", look: .columns),
        Measure(column: "rttMs", unit: "ms", look: .line),
        Measure(column: "jitterMs", unit: "ms", look: .line, requirement: ("jitter", 1_000)),
        Measure(column: "maxDeltaMs", unit: "ms", look: .columns),
        Measure(column: "maxTransitMs", unit: "ms", look: .columns),
    ]

    private func series(_ fields: [Field], _ stream: StreamRecord, _ steps: [PageStep]) -> [Graph] {
        guard case .object(let columns)? = MemberText.value("series", in: fields),
            let seconds = MemberText.value("intervalSeconds", in: columns).flatMap(Self.number), seconds > 0
        else { return [] }
        return Self.measures.compactMap { measure in
            guard case .array(let cells)? = MemberText.value(measure.column, in: columns) else { return nil }
            var numbers = cells.map { Self.number($0) ?? 0 }
            if let quotient = measure.quotient {
                guard case .array(let others)? = MemberText.value(quotient.column, in: columns) else { return nil }
                numbers = zip(numbers, others).map { number, other in
                    Self.number(other).map { $0 > 0 ? number / $0 : 0 } ?? 0
                }
            }
            if measure.column == "lost" || measure.column == "recovered" { Self.settle(&numbers) }
            let values = values(numbers, measure, seconds, stream)
            guard values.contains(where: { $0.value != 0 }) else { return nil }
            var graph = Graph(
                title: words.name(measure.quotient?.name ?? measure.column), unit: measure.unit, look: measure.look,
                tone: measure.tone,
                values: values)
            if let requirement = measure.requirement {
                graph.allowed = allowed(requirement.name, stream, factor: requirement.factor)
            }
            if measure.column == "frames" || measure.quotient != nil {
                graph.marks = Self.marks(steps, scale).filter { $0.look == "keyframe" }
            }
            if measure.column == "lost" || measure.column == "recovered" {
                graph.total = numbers.reduce(0, +)
            }
            if measure.column == "maxTransitMs" {
                graph.remark = playout(fields)
                graph.lines = Self.buffers.map(Double.init)
            }
            return graph
        }
    }

    /// Takes what arrived late out of the intervals in which it was missed.
    private static func settle(_ numbers: inout [Double]) {
        var late = 0.0
        for index in numbers.indices.reversed() {
            late -= min(0, numbers[index])
            let taken = min(late, max(0, numbers[index]))
            numbers[index] = max(0, numbers[index]) - taken
            late -= taken
        }
    }

    private func values(
        _ cells: [Double], _ measure: Measure, _ seconds: Double, _ stream: StreamRecord
    ) -> [Graph.Value] {
        let (start, end) = (scale.position(stream.startTime), scale.position(stream.endTime))
        return cells.enumerated().compactMap { index, cell in
            let from = start + Double(index) * seconds * 1_000
            let to = min(end, from + seconds * 1_000)
            // The last interval is short: its rate would be one of few packets.
            let part = max(0, to - from) / (seconds * 1_000)
            guard !measure.isRate || part >= Self.leastPart || cells.count == 1 else { return nil }
            let value = cell * measure.factor / (measure.isRate ? seconds * (part > 0 ? part : 1) : 1)
            return Graph.Value(from: from, to: max(to, from), value: max(0, value))
        }
    }

    /// Returns the range that the profile requires of a measure of the stream.
    private func allowed(_ name: String, _ stream: StreamRecord, factor: Double) -> (least: Double?, most: Double?) {
        let found = capture.verdict.requirements.first { requirement in
            requirement.name == name
                && (requirement.subject.rawValue == stream.mediaType || requirement.subject == .media)
        }
        guard case .range(let range)? = found?.condition else { return (nil, nil) }
        return (range.least.map { $0 * factor }, range.most.map { $0 * factor })
    }

    /// The buffers whose late packets the records have, in milliseconds.
    private static let buffers = [50, 100, 200]

    /// Returns how many packets a buffer would have been too short for.
    private func playout(_ fields: [Field]) -> PageText? {
        guard case .object(let members)? = MemberText.value("playout", in: fields) else { return nil }
        let late = Self.buffers.compactMap { buffer in
            MemberText.value("lateAt\(buffer)Ms", in: members).flatMap(Self.number).map {
                "\(buffer) ms: \(MemberText.short($0))"
            }
        }
        return late.isEmpty ? nil : words.page("late", .string(late.joined(separator: " · ")))
    }

    static func number(_ value: FieldValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number), .number(let number): number
        default: nil
        }
    }

    /// Returns how far video is behind audio from the same sender, since the first packet of each.
    private func skew(_ streams: [StreamRecord]) -> Graph? {
        for video in streams where video.mediaType == "video" {
            for audio in streams
            where audio.mediaType == "audio" && audio.source.address == video.source.address
                && audio.direction == video.direction
            {
                guard let (pictures, step) = transit(video), let (sound, other) = transit(audio), step == other else {
                    continue
                }
                let (begin, end) = (scale.position(video.startTime), scale.position(video.endTime))
                let shift = Int(((begin - scale.position(audio.startTime)) / step).rounded())
                let values = pictures.enumerated().compactMap { index, value -> Graph.Value? in
                    guard sound.indices.contains(index + shift) else { return nil }
                    let from = begin + Double(index) * step
                    return Graph.Value(
                        from: from, to: max(from, min(end, from + step)), value: value - sound[index + shift])
                }
                guard values.count > 1 else { continue }
                return Graph(title: words.page("skew"), unit: "ms", values: values, remark: words.page("skewRemark"))
            }
        }
        return nil
    }

    /// Returns the delays of the last packets of each interval, and the interval in milliseconds.
    private func transit(_ stream: StreamRecord) -> (cells: [Double], step: Double)? {
        guard case .object(let columns)? = MemberText.value("series", in: stream.details.fields(words.secrets)),
            case .array(let cells)? = MemberText.value("transitMs", in: columns),
            let seconds = MemberText.value("intervalSeconds", in: columns).flatMap(Self.number)
        else { return nil }
        return (cells.map { Self.number($0) ?? 0 }, seconds * 1_000)
    }
}
