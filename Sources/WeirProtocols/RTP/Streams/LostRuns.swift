/// Runs of sequence numbers reported missing and not recovered, with their positions. Numbers recovered later are
/// removed.
package struct LostRuns: Sendable, Hashable {
    /// A run of missing numbers.
    private struct Run: Sendable, Hashable {
        var first: UInt16
        var count: Int
        var place: SequenceGaps.Place?
    }

    /// The latest runs; earlier ones are final.
    private var open: [Run] = []
    private let most: Int
    private var settledPlace: SequenceGaps.Place?
    private var settledLongest = 0
    private var settledSoundingPlace: SequenceGaps.Place?
    private var settledSoundingLongest = 0

    /// Creates an empty list, with at most `most` runs that may still be recovered.
    init(most: Int) { self.most = max(1, most) }

    /// Position of the first run.
    package var place: SequenceGaps.Place? { settledPlace ?? open.lazy.compactMap(\.place).first }
    /// Length of the longest run.
    package var longest: Int { open.reduce(settledLongest) { max($0, $1.count) } }

    /// Position of the first run that does not follow a silence.
    package var soundingPlace: SequenceGaps.Place? {
        settledSoundingPlace ?? open.lazy.compactMap(\.place).first { !$0.isSilent }
    }
    /// Length of the longest run that does not follow a silence.
    package var soundingLongest: Int {
        open.reduce(settledSoundingLongest) { $1.place?.isSilent == true ? $0 : max($0, $1.count) }
    }

    /// Returns how many of the numbers follow `number`, or nil if runs that may be among them are no longer kept.
    package func count(behind number: UInt16) -> Int? {
        var count = 0
        for run in open.reversed() {
            let distance = Int(Int16(bitPattern: run.first &- number))
            // A run that contains the number follows it in part.
            count += distance > 0 ? run.count : max(0, run.count &+ distance &- 1)
            if distance <= 0 { return count }
        }
        return settledLongest == 0 ? count : nil
    }

    /// Adds the runs of one gap.
    mutating func note(_ rows: [SequenceTracker.Gap], _ place: SequenceGaps.Place?) {
        for row in rows { open.append(Run(first: row.first, count: row.count, place: place)) }
        while open.count > most { settle(open.removeFirst()) }
    }

    private mutating func settle(_ run: Run) {
        if settledPlace == nil { settledPlace = run.place }
        settledLongest = max(settledLongest, run.count)
        guard run.place?.isSilent != true else { return }
        if settledSoundingPlace == nil { settledSoundingPlace = run.place }
        settledSoundingLongest = max(settledSoundingLongest, run.count)
    }

    /// Removes a number that was recovered later.
    mutating func remove(_ number: UInt16) {
        guard let index = open.lastIndex(where: { Int(number &- $0.first) < $0.count }) else { return }
        let run = open[index]
        let before = Int(number &- run.first)
        let behind = Run(first: number &+ 1, count: run.count &- before &- 1, place: run.place)
        open[index].count = before
        if behind.count > 0 { open.insert(behind, at: index &+ 1) }
        if before == 0 { open.remove(at: index) }
    }
}
