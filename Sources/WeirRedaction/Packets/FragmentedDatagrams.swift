import WeirPackets

/// The datagrams that fragments belong to. Reading a capture twice in the same order finds the same datagrams.
struct FragmentedDatagrams {
    private struct Key: Hashable {
        let source: IPAddress
        let destination: IPAddress
        let number: UInt8
        let identification: UInt32
    }

    private struct Known {
        var datagram: Int
        var time: Timestamp
    }

    private var known: [Key: Known] = [:]
    private(set) var count = 0

    /// An identification that is seen again later belongs to another datagram.
    private static let longestNanoseconds: UInt64 = 15_000_000_000

    /// Returns the number of a fragment's datagram.
    mutating func datagram(
        _ source: IPAddress, _ destination: IPAddress, _ number: UInt8, _ identification: UInt32, at time: Timestamp
    ) -> Int {
        let key = Key(source: source, destination: destination, number: number, identification: identification)
        if var found = known[key], (time.nanoseconds &- found.time.nanoseconds).magnitude < Self.longestNanoseconds {
            found.time = time
            known[key] = found
            return found.datagram
        }
        known[key] = Known(datagram: count, time: time)
        count += 1
        return count - 1
    }
}
