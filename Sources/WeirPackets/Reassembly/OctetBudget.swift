/// How many octets may be kept: by one owner, and by all of them together.
public struct OctetBudget: Sendable {
    /// Octets that one owner may keep.
    public let perOwner: Int
    /// Octets that all owners may keep together.
    public let total: Int
    /// Octets kept now.
    public private(set) var used = 0
    /// How often something was given up because too much was kept.
    package private(set) var forced = 0

    /// Creates a budget of which nothing is used.
    public init(perOwner: Int, total: Int) {
        self.perOwner = max(0, perOwner)
        self.total = max(0, total)
    }

    /// The budget for octets behind gaps: one owner is one direction of a TCP flow.
    public static func gaps(_ limits: Limits) -> Self {
        Self(perOwner: limits.gapBufferOctets, total: limits.gapBufferTotalOctets)
    }

    /// The budget for unfinished messages: one owner is one direction of a TCP flow.
    public static func messages(_ limits: Limits) -> Self {
        Self(perOwner: limits.messageOctets, total: limits.messageTotalOctets)
    }

    /// Whether all owners together keep more than they may.
    public var isExceeded: Bool { used > total }

    /// Whether `octets` more fit into what all owners may keep.
    @inline(__always)
    public func allows(_ octets: Int) -> Bool { octets <= total &- used }

    @usableFromInline
    @inline(__always)
    mutating func take(_ octets: Int) { used &+= octets }

    @usableFromInline
    @inline(__always)
    mutating func giveBack(_ octets: Int) { used = max(0, used &- octets) }

    /// Counts that something was given up for want of room.
    mutating func noteForced() { forced &+= 1 }

    /// Counts what was done with a copy.
    package mutating func change(by octets: Int) { used = max(0, used &+ octets) }
}
