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
    /// Where the row began that the last one ends, and how many it has: one behind a pause begins another, as somebody may have
    /// listened meanwhile.
    package private(set) var row: (first: Delivery.Place, count: Int)
    /// Seconds without an error behind which a row is another: hosts send at least one in so many while they refuse all.
    package static let pause = 10.0
    /// Whether the first one was told.
    var isTold = false

    /// The first error.
    init(_ destination: Endpoint, _ first: Delivery.Place, from sender: IPAddress, to receiver: IPAddress) {
        self.destination = destination
        self.first = first
        self.sender = sender
        self.receiver = receiver
        latest = first.time
        row = (first, 1)
    }

    /// One more.
    mutating func note(_ place: Delivery.Place) {
        count &+= 1
        if place.time.seconds(since: latest) > Self.pause { row = (place, 0) }
        row.count &+= 1
        latest = max(latest, place.time)
    }
}
