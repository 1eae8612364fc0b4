import WeirEngine
import WeirPackets

/// How long the packets of a picture take, from its first to its last, against the time between pictures: a burst is quick,
/// and fills buffers on the way; a picture that takes longer than the next is away comes late.
package struct FramePacing: Sendable {
    /// Four buckets for each doubling of microseconds, up to a minute.
    private static let buckets = 104

    private var counts: [UInt32] = []
    private var sum: Int64 = 0
    /// Pictures measured.
    package private(set) var pictures = 0
    /// The shortest, in nanoseconds.
    package private(set) var shortest = Int64.max
    /// The longest, in nanoseconds.
    package private(set) var longest: Int64 = 0
    /// The frame that began the longest, and when.
    package private(set) var longestPlace: (frame: Int, time: Timestamp)?
    private var start = Timestamp(nanoseconds: 0)
    private var startFrame = 0

    /// Begins before the first picture.
    package init() {}

    /// A picture begins; `last` is the time of the packet before.
    mutating func begin(at time: Timestamp, frame: Int, last: Timestamp) {
        if startFrame > 0 { finish(last) }
        start = time
        startFrame = frame
    }

    /// The stream is over.
    mutating func finish(_ last: Timestamp) {
        guard startFrame > 0 else { return }
        let length = max(0, last.nanoseconds &- start.nanoseconds)
        if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.buckets) }
        pictures &+= 1
        sum &+= length
        shortest = min(shortest, length)
        if length > longest || longestPlace == nil {
            longest = length
            longestPlace = (startFrame, start)
        }
        let bucket = Self.bucket(length)
        if counts.indices.contains(bucket) { counts[bucket] &+= 1 }
        startFrame = 0
    }

    /// The mean in nanoseconds.
    package var mean: Double { pictures > 0 ? Double(sum) / Double(pictures) : 0 }

    /// What 99 of 100 pictures do not exceed, in nanoseconds: the end of the bucket that it falls in, at most the longest.
    package var percentile99: Double {
        bucketOf99.map { min(Double(longest), Self.end(of: $0)) } ?? Double(longest)
    }

    /// What it is at least: the beginning of that bucket.
    package var percentile99AtLeast: Double { bucketOf99.map { Self.end(of: $0 - 1) } ?? Double(longest) }

    /// The bucket in which the length is that 99 of 100 pictures do not exceed.
    private var bucketOf99: Int? {
        let wanted = pictures &- pictures / 100
        var seen = 0
        return counts.firstIndex { count in
            seen &+= Int(count)
            return seen >= wanted
        }
    }

    /// Nothing below a microsecond, then four for each doubling.
    private static func bucket(_ nanoseconds: Int64) -> Int {
        let microseconds = UInt64(nanoseconds / 1_000)
        guard microseconds > 0 else { return 0 }
        let exponent = 63 &- microseconds.leadingZeroBitCount
        let quarter = exponent >= 2 ? Int(microseconds >> UInt64(exponent &- 2) & 3) : 0
        return min(buckets &- 1, 1 &+ exponent &* 4 &+ quarter)
    }

    private static func end(of bucket: Int) -> Double {
        guard bucket > 0 else { return 0 }
        let exponent = (bucket &- 1) / 4
        let quarter = (bucket &- 1) % 4
        return Double(1 << UInt64(exponent)) * (1 + Double(quarter &+ 1) / 4) * 1_000
    }

    /// The figures as the stream's record has them.
    func fields(frameInterval: Double?) -> FieldValue {
        var fields = [
            Field("minMs", .double(Double(shortest) / 1_000_000)), Field("meanMs", .double(mean / 1_000_000)),
            Field("p99Ms", .double(percentile99 / 1_000_000)), Field("maxMs", .double(Double(longest) / 1_000_000)),
        ]
        fields.add("frameIntervalMs", frameInterval.map { $0 * 1_000 })
        return .object(fields)
    }
}
