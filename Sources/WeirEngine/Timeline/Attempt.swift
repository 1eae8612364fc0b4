/// The position of a session in a series of attempts by one client that failed in the same way.
public struct Attempt: Sendable, Hashable {
    /// The number of the series, from 1.
    public var series: Int
    /// The number of the attempt in the series, from 1.
    public var number: Int
}
