/// Compares the steps of two sessions.
struct StepComparison {
    /// How much longer a step must take to differ: by this factor, and by this time in nanoseconds.
    private static let factor = 3.0
    private static let least: Int64 = 400_000_000
    /// Header fields and commands that name programs.
    private static let programs = [
        "user-agent", "useragent", "server", "flashver", "fmsver", "tool", "software", "encoder", "srtversion",
        "srtVersion",
    ]
    /// Changes of one message beyond which the rest is not listed.
    private static let mostChanges = 20

    private struct Row {
        var a: Int?
        var b: Int?
        var difference: Int?
    }

    private let a: [RunStep]
    private let b: [RunStep]
    private let limits: ComparisonLimits
    private var rows: [Row] = []
    private(set) var differences: [RunDifference] = []

    /// Compares steps, each in order of time.
    init(_ first: [RunStep], _ second: [RunStep], _ limits: ComparisonLimits) {
        (a, b, self.limits) = (first, second, limits)
        var tracks: [String] = []
        for step in first + second where !tracks.contains(step.protocolName) { tracks.append(step.protocolName) }
        for track in tracks {
            let (one, other) = (
                Array(a.indices.filter { a[$0].protocolName == track }.prefix(limits.steps)),
                Array(b.indices.filter { b[$0].protocolName == track }.prefix(limits.steps))
            )
            if StepFilter.isUnordered(track) { pairUnordered(one, other) } else { pairInOrder(one, other) }
        }
        order()
        compare()
        addTiming()
        join()
    }

    /// Both runs step by step.
    var ladder: [(a: RunStep?, b: RunStep?, difference: Int?)] {
        rows.map { ($0.a.map { a[$0] }, $0.b.map { b[$0] }, $0.difference) }
    }

    // MARK: - Pairing

    private mutating func pairInOrder(_ first: [Int], _ second: [Int]) {
        let alignment = Alignment(first.count, second.count) { a[first[$0]].cost(b[second[$1]]) }
        for pair in alignment.pairs {
            switch pair {
            case .both(let x, let y): rows.append(Row(a: first[x], b: second[y]))
            case .onlyA(let x): rows.append(Row(a: first[x]))
            case .onlyB(let y): rows.append(Row(b: second[y]))
            }
        }
    }

    /// Pairs equal steps, whatever their order; then those that are left.
    private mutating func pairUnordered(_ first: [Int], _ second: [Int]) {
        var rest = second
        var left: [Int] = []
        for index in first {
            let equal = rest.firstIndex { b[$0].isAlike(a[index]) && b[$0].fields == a[index].fields }
            if let place = equal ?? rest.firstIndex(where: { b[$0].isAlike(a[index]) }) {
                rows.append(Row(a: index, b: rest.remove(at: place)))
            } else {
                left.append(index)
            }
        }
        for index in left {
            if let place = rest.firstIndex(where: {
                b[$0].kind == a[index].kind && b[$0].direction == a[index].direction
            }) {
                rows.append(Row(a: index, b: rest.remove(at: place)))
            } else {
                rows.append(Row(a: index))
            }
        }
        rows += rest.map { Row(b: $0) }
    }

    /// Sorts the rows by time in the first run; those of the second run only follow the step before them there.
    private mutating func order() {
        var places: [Int: Int] = [:]
        for row in rows { if let x = row.a, let y = row.b { places[y] = x } }
        var before = -1
        var anchors: [Int: Int] = [:]
        for index in b.indices {
            before = max(before, places[index] ?? before)
            anchors[index] = before
        }
        rows.sort {
            let one = ($0.a ?? $0.b.flatMap { anchors[$0] } ?? -1, $0.a == nil ? 1 : 0, $0.b ?? 0)
            let other = ($1.a ?? $1.b.flatMap { anchors[$0] } ?? -1, $1.a == nil ? 1 : 0, $1.b ?? 0)
            return one < other
        }
    }

    // MARK: - Differences

    private mutating func compare() {
        for index in rows.indices {
            let row = rows[index]
            guard let difference = difference(row.a.map { a[$0] }, row.b.map { b[$0] }) else { continue }
            rows[index].difference = differences.count
            differences.append(difference)
        }
    }

    private func difference(_ one: RunStep?, _ other: RunStep?) -> RunDifference? {
        switch (one, other) {
        case (let one?, let other?):
            guard one.isAlike(other) else {
                return RunDifference(
                    kind: .replaced, weight: .decisive, protocolName: one.protocolName, stepA: one, stepB: other)
            }
            let changes = one.fields.changes(to: other.fields)
            guard !changes.isEmpty else { return nil }
            var difference = RunDifference(
                kind: .changed, weight: Self.weight(changes, one, other), protocolName: one.protocolName, stepA: one,
                stepB: other)
            difference.changes = Array(changes.prefix(Self.mostChanges))
            return difference
        case (let one?, nil):
            return RunDifference(kind: .missing, weight: .decisive, protocolName: one.protocolName, stepA: one)
        case (nil, let other?):
            return RunDifference(kind: .added, weight: .decisive, protocolName: other.protocolName, stepB: other)
        case (nil, nil): return nil
        }
    }

    private static func weight(_ changes: [FieldChange], _ one: RunStep, _ other: RunStep) -> RunDifference.Weight {
        if one.status != other.status { return .decisive }
        let isProgram = changes.allSatisfy { change in
            let name = change.path.lowercased()
            return programs.contains { name.hasSuffix($0.lowercased()) || name.contains($0.lowercased() + "[") }
        }
        return isProgram ? .program : .content
    }

    /// Adds steps that take much longer in one run.
    private mutating func addTiming() {
        var previous: Row?
        for index in rows.indices {
            let row = rows[index]
            guard let x = row.a, let y = row.b else { continue }
            defer { previous = row }
            let (one, other) = (a[x], b[y])
            guard row.difference == nil, !one.isClosing, !other.isClosing else { continue }
            let times: (Int64, Int64)
            if let first = one.latency, let second = other.latency {
                times = (first, second)
            } else if let last = previous, let before = last.a, let after = last.b, last.difference == nil {
                times = (one.time &- a[before].time, other.time &- b[after].time)
            } else {
                continue
            }
            guard times.0 >= 0, times.1 >= 0, Self.isMuch(times.0, times.1) else { continue }
            var difference = RunDifference(
                kind: .timing, weight: .timing, protocolName: one.protocolName, stepA: one, stepB: other)
            difference.milliseconds = (Double(times.0) / 1e6, Double(times.1) / 1e6)
            rows[index].difference = differences.count
            differences.append(difference)
        }
    }

    private static func isMuch(_ one: Int64, _ other: Int64) -> Bool {
        let (less, more) = (min(one, other), max(one, other))
        return more &- less >= least && Double(more) >= factor * Double(max(less, 1))
    }

    // MARK: - Joining

    /// Joins what is one difference: steps of one frame, several missing steps in a row, and the rest of a run.
    private mutating func join() {
        var into = Array(differences.indices)
        var tails: [RunDifference.Kind: Int] = [:]
        // The rest of a run: nothing is common behind it.
        let lastCommon = rows.lastIndex { $0.a != nil && $0.b != nil } ?? -1
        var owner: [String: Int] = [:]
        var run: (kind: RunDifference.Kind, index: Int)?
        for (place, row) in rows.enumerated() {
            guard let index = row.difference else {
                run = nil
                continue
            }
            let difference = differences[index]
            let frames = [difference.stepA.map { "a\($0.frame)" }, difference.stepB.map { "b\($0.frame)" }].compactMap {
                $0
            }
            defer { for frame in frames where owner[frame] == nil { owner[frame] = into[index] } }
            if let other = frames.lazy.compactMap({ owner[$0] }).first {
                into[index] = other
            } else if place > lastCommon, difference.kind == .missing || difference.kind == .added {
                into[index] = tails[difference.kind] ?? index
                tails[difference.kind] = into[index]
            } else if let run, run.kind == difference.kind, difference.kind == .missing || difference.kind == .added {
                into[index] = run.index
            }
            run = (difference.kind, into[index])
        }
        var counts: [Int: Int] = [:]
        for index in differences.indices { counts[into[index], default: 0] += 1 }
        for tail in tails.values where counts[tail, default: 1] > 1 {
            differences[tail].kind = differences[tail].kind == .missing ? .endsEarly : .continues
        }
        // In the order of the rows.
        var order: [Int: Int] = [:]
        var kept: [RunDifference] = []
        for row in rows {
            guard let index = row.difference, order[into[index]] == nil else { continue }
            var difference = differences[into[index]]
            difference.steps = counts[into[index]] ?? 1
            order[into[index]] = kept.count
            kept.append(difference)
        }
        for place in rows.indices {
            if let index = rows[place].difference { rows[place].difference = order[into[index]] }
        }
        differences = kept
    }
}
