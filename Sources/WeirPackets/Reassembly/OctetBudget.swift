/// A limit of buffered octets, per owner and in total.
public struct OctetBudget: Sendable {
    /// The maximum per owner, in octets.
    public let perOwner: Int
    /// The maximum of all owners together, in octets.
    public let total: Int
    /// The octets in use.
    public private(set) var used = 0
    /// How often data was dropped because the budget was exceeded.
    package private(set) var forced = 0

    /// Creates an unused budget.
    public init(perOwner: Int, total: Int) {
        self.perOwner = max(0, perOwner)
        self.total = max(0, total)
    }

    /// Returns the budget for octets behind gaps; one owner is one direction of a TCP flow.
    public static func gaps(_ limits: Limits) -> Self {
        Self(perOwner: limits.gapBufferOctets, total: limits.gapBufferTotalOctets)
    }

    /// Returns the budget for incomplete messages; one owner is one direction of a TCP flow.
    public static func messages(_ limits: Limits) -> Self {
        Self(perOwner: limits.messageOctets, total: limits.messageTotalOctets)
    }

    /// Whether all owners together exceed the total.
    public var isExceeded: Bool { used > total }

    /// Whether `octets` more fit into the total.
    @inline(__always)
    public func allows(_ octets: Int) -> Bool { octets <= total &- used }

    @usableFromInline
    @inline(__always)
    mutating func take(_ octets: Int) { used &+= octets }

    @usableFromInline
    @inline(__always)
    mutating func returnBorrowed(_ octets: Int) { used = max(0, used &- octets) }

    /// Counts data dropped because the budget was exceeded.
    mutating func noteForced() { forced &+= 1 }

    /// Applies the change made to a copy of the budget.
    package mutating func change(by octets: Int) { used = max(0, used &+ octets) }
}
