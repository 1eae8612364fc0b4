package import WeirPackets

/// Packets of a flow to one of its ends, whose host says that nobody takes them there (ICMP port unreachable, RFC 792).
package struct FlowRefusal: Sendable {
    /// The end.
    package let destination: Endpoint
    /// Where the first error about it is.
    package let first: Delivery.Place
    /// Who sent that, and to whom.
    let sender: IPAddress
    let receiver: IPAddress
    /// Errors so far.
    package private(set) var count = 1
    /// When the last one came.
    package private(set) var latest: Timestamp
    /// Whether the first one was told.
    var isTold = false

    /// The first error.
    init(_ destination: Endpoint, _ first: Delivery.Place, from sender: IPAddress, to receiver: IPAddress) {
        self.destination = destination
        self.first = first
        self.sender = sender
        self.receiver = receiver
        latest = first.time
    }

    /// One more.
    mutating func note(_ time: Timestamp) {
        count &+= 1
        latest = max(latest, time)
    }
}
