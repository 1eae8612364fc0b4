package import WeirPackets

/// Refused packets to one endpoint of a flow: nothing is listening on the port (ICMP port unreachable, RFC 792).
package struct FlowRefusal: Sendable {
    /// The refusing endpoint.
    package let destination: Endpoint
    /// The frame of the first error.
    package let first: Delivery.Place
    /// The sender and receiver of the first error.
    let sender: IPAddress
    let receiver: IPAddress
    /// The number of errors so far.
    package private(set) var count = 1
    /// The time of the latest error.
    package private(set) var latest: Timestamp
    /// The start and length of the current run of errors. A pause starts a new run, since the port may have been open
    /// in between.
    package private(set) var row: (first: Delivery.Place, count: Int)
    /// The seconds without an error after which a new run starts; a host that refuses everything sends errors more
    /// often.
    package static let pause = 10.0
    /// Whether the first error was reported.
    var isReported = false

    /// Creates a refusal from its first error.
    init(_ destination: Endpoint, _ first: Delivery.Place, from sender: IPAddress, to receiver: IPAddress) {
        self.destination = destination
        self.first = first
        self.sender = sender
        self.receiver = receiver
        latest = first.time
        row = (first, 1)
    }

    /// Adds an error.
    mutating func note(_ place: Delivery.Place) {
        count &+= 1
        if place.time.seconds(since: latest) > Self.pause { row = (place, 0) }
        row.count &+= 1
        latest = max(latest, place.time)
    }
}
