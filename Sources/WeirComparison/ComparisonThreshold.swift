/// A limit on a figure of a comparison, such as `lost-between>0.1%`.
package struct ComparisonThreshold: Sendable, Equatable {
    /// A figure.
    package enum Figure: String, Sendable, CaseIterable {
        case lostBefore = "lost-before"
        case lostBetween = "lost-between"
        case lostBehind = "lost-behind"
        case duplicated
        case reordered
        case retransmitted
        case changed
        case delayVariation = "delay-variation"
        case drift
        case differences

        /// The unit of its values; nil for numbers of packets, of which percentages can be taken.
        package var unit: String? {
            switch self {
            case .delayVariation: "ms"
            case .drift: "ppm"
            case .differences, .changed, .retransmitted: ""
            default: nil
            }
        }
    }

    /// The figure.
    package var figure: Figure
    /// The largest value that passes.
    package var limit: Double
    /// Whether the value is a percentage.
    package var isPercentage: Bool

    /// Parses a threshold, or returns nil if it is not one.
    package init?(_ text: String) {
        let parts = text.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let figure = Figure(rawValue: Self.trimmed(parts[0])) else { return nil }
        var value = Self.trimmed(parts[1])
        isPercentage = value.hasSuffix("%")
        if isPercentage {
            guard figure.unit == nil else { return nil }
            value = Self.trimmed(value.dropLast())
        } else if let unit = figure.unit, !unit.isEmpty {
            guard value.hasSuffix(unit) else { return nil }
            value = Self.trimmed(value.dropLast(unit.count))
        }
        guard let limit = Double(value), limit.isFinite, limit >= 0 else { return nil }
        self.figure = figure
        self.limit = limit
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Returns the largest value of the figure in a comparison: the total of numbers, the worst direction of
    /// percentages and of delay variation; nil if the captures do not show it.
    package func value(in comparison: Comparison) -> Double? {
        switch comparison {
        case .runs(let runs): figure == .differences ? Double(runs.differences.count) : nil
        case .places(let places): value(in: places)
        }
    }

    /// Whether a comparison exceeds the limit.
    package func isExceeded(in comparison: Comparison) -> Bool {
        value(in: comparison).map { $0 > limit } ?? false
    }

    private func value(in places: PlacesComparison) -> Double? {
        switch figure {
        case .lostBefore: packets(places) { $0.count(.before) }
        case .lostBetween: packets(places) { $0.count(.between) }
        case .lostBehind: packets(places) { $0.count(.behind) }
        case .duplicated: packets(places) { $0.count(.duplicated) }
        case .reordered: packets(places) { $0.reordered }
        case .retransmitted: Double(places.paths.reduce(0) { $0 + ($1.retransmissions?.total ?? 0) })
        case .changed:
            Double(
                places.flows.reduce(0) { sum, flow in
                    sum + flow.changes.reduce(0) { $0 + $1.count(where: \.isUnusual) } + flow.messages.changed.count
                })
        case .delayVariation: places.paths.compactMap { $0.delay?.max }.max()
        case .drift: places.clock.isDriftKnown ? places.clock.drift?.value.magnitude : nil
        case .differences: nil
        }
    }

    private func packets(_ places: PlacesComparison, _ count: (UniflowPath) -> Int) -> Double {
        guard isPercentage else { return Double(places.paths.reduce(0) { $0 + count($1) }) }
        return places.paths.filter { $0.comparable > 0 }.map { Double(count($0)) * 100 / Double($0.comparable) }.max()
            ?? 0
    }
}
