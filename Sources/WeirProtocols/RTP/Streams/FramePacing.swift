import WeirEngine
import WeirPackets

/// Measures the sending time of pictures, from first to last packet, relative to the picture interval. Short bursts
/// fill buffers along the path; a picture that takes longer than the interval is late.
package struct FramePacing: Sendable {
    /// Four buckets per power of two in microseconds, up to a minute.
    private static let buckets = 104

    private var counts: [UInt32] = []
    private static let noCounts = [UInt32](repeating: 0, count: buckets)
    private var sum: Int64 = 0
    /// Pictures measured.
    package private(set) var pictures = 0
    /// The shortest sending time, in nanoseconds.
    package private(set) var shortest = Int64.max
    /// The longest sending time, in nanoseconds.
    package private(set) var longest: Int64 = 0
    /// Frame and time of the start of the picture with the longest sending time.
    package private(set) var longestPlace: (frame: Int, time: Timestamp)?
    private var start = Timestamp(nanoseconds: 0)
    private var startFrame = 0

    /// Creates a measurement without pictures.
    package init() {}

    /// Starts a picture; `last` is the time of the previous packet.
    mutating func begin(at time: Timestamp, frame: Int, last: Timestamp) {
        if startFrame > 0 { finish(last) }
        start = time
        startFrame = frame
    }

    /// Processes the end of the stream.
    mutating func finish(_ last: Timestamp) {
        guard startFrame > 0 else { return }
        let length = max(0, last.nanoseconds &- start.nanoseconds)
        if counts.isEmpty { counts = Self.noCounts }
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

    /// The mean sending time, in nanoseconds.
    package var mean: Double { pictures > 0 ? Double(sum) / Double(pictures) : 0 }

    /// The 99th percentile in nanoseconds, rounded up to the end of its bucket, but not above the longest.
    package var percentile99: Double {
        bucketOf99.map { min(Double(longest), Self.end(of: $0)) } ?? Double(longest)
    }

    /// The lower bound of the 99th percentile: the start of its bucket.
    package var percentile99AtLeast: Double { bucketOf99.map { Self.end(of: $0 - 1) } ?? Double(longest) }

    /// The bucket of the 99th percentile.
    private var bucketOf99: Int? {
        let wanted = pictures &- pictures / 100
        var seen = 0
        return counts.firstIndex { count in
            seen &+= Int(count)
            return seen >= wanted
        }
    }

    /// Returns the bucket of a duration: none below a microsecond, then four per power of two.
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

    /// Returns the figures in the stream record.
    func fields(frameInterval: Double?) -> FieldValue {
        var fields = [
            Field("minMs", .double(Double(shortest) / 1_000_000)), Field("meanMs", .double(mean / 1_000_000)),
            Field("p99Ms", .double(percentile99 / 1_000_000)), Field("maxMs", .double(Double(longest) / 1_000_000)),
        ]
        fields.add("frameIntervalMs", frameInterval.map { $0 * 1_000 })
        return .object(fields)
    }
}
