/// The place of a session among attempts of one client that failed in the same way, one after the other.
public struct Attempt: Sendable, Hashable {
    /// The series of attempts, from 1.
    public var series: Int
    /// Which attempt of the series it is, from 1.
    public var number: Int
}
