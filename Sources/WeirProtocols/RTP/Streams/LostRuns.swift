/// The numbers of a stream that were told to be missing and stayed so, row by row, and where they are: what is made good later
/// takes its numbers out again.
package struct LostRuns: Sendable, Hashable {
    /// Missing numbers in a row.
    private struct Run: Sendable, Hashable {
        var first: UInt16
        var count: Int
        var place: SequenceHoles.Place?
    }

    /// The latest rows; nothing takes a number out of those before.
    private var open: [Run] = []
    private let most: Int
    private var settledPlace: SequenceHoles.Place?
    private var settledLongest = 0
    private var settledSoundingPlace: SequenceHoles.Place?
    private var settledSoundingLongest = 0

    /// Begins with `most` rows at most that may still be made good.
    init(most: Int) { self.most = max(1, most) }

    /// Where the first row is.
    package var place: SequenceHoles.Place? { settledPlace ?? open.lazy.compactMap(\.place).first }
    /// The most numbers in a row.
    package var longest: Int { open.reduce(settledLongest) { max($0, $1.count) } }

    /// Where the first row is that is not behind a silence.
    package var soundingPlace: SequenceHoles.Place? {
        settledSoundingPlace ?? open.lazy.compactMap(\.place).first { !$0.isSilent }
    }
    /// The most numbers in a row that is not behind a silence.
    package var soundingLongest: Int {
        open.reduce(settledSoundingLongest) { $1.place?.isSilent == true ? $0 : max($0, $1.count) }
    }

    /// How many of the numbers are behind this one; nil where rows that may be among them are kept no more.
    package func count(behind number: UInt16) -> Int? {
        var count = 0
        for run in open.reversed() {
            let distance = Int(Int16(bitPattern: run.first &- number))
            // A row in which the number lies is behind it in part.
            count += distance > 0 ? run.count : max(0, run.count &+ distance &- 1)
            if distance <= 0 { return count }
        }
        return settledLongest == 0 ? count : nil
    }

    /// Takes note of rows of one hole.
    mutating func note(_ rows: [SequenceTracker.Gap], _ place: SequenceHoles.Place?) {
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

    /// A number was made good after all.
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
