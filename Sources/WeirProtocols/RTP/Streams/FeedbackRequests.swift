import WeirEngine
import WeirPackets

/// Tracks receiver requests and their fulfillment: retransmissions (NACK, RFC 4585 §6.2.1) and key frames (PLI, RFC
/// 4585 §6.3.1; FIR, RFC 5104 §4.3.1).
package struct FeedbackRequests: Sendable {
    /// A pending request.
    package struct Open: Sendable {
        /// The sequence number of the packet; 0 for a key frame.
        package var sequence: UInt16
        /// Time of the first request.
        package var time: Timestamp
        /// Frame of the first request.
        package var frame: Int
    }

    /// Seconds after a response within which a request is assumed to have crossed it.
    private static let secondsOfCrossing = 1.0
    /// Maximum requests, and responses, kept.
    private let most: Int

    /// Packets requested but not received.
    package private(set) var openPackets: [Open] = []
    /// Their sequence numbers.
    private var openNumbers: Set<UInt16> = []
    /// The pending key frame request.
    package private(set) var openPicture: Open?
    /// Packets retransmitted.
    package private(set) var answeredPackets = 0
    /// Key frames sent after a request.
    package private(set) var answeredPictures = 0
    /// Longest response time for a packet, in seconds.
    package private(set) var slowestPacket = 0.0
    /// Longest response time for a key frame, in seconds, and its request.
    package private(set) var slowestPicture: (seconds: Double, request: Open)?
    private var packetSeconds = 0.0
    /// Late or retransmitted packets, most recent last.
    private var arrivals: [(sequence: UInt16, time: Timestamp)] = []
    /// Time of the last arrival of each.
    private var lastArrivals: [UInt16: Timestamp] = [:]
    /// Requests beyond the maximum.
    package private(set) var unkept = 0

    /// Creates a tracker without requests.
    package init(_ limits: RTPLimits = RTPLimits()) { most = max(1, limits.requests) }

    /// Whether requests are pending.
    @inline(__always)
    var isWaiting: Bool { !openPackets.isEmpty || openPicture != nil }

    mutating func ask(_ numbers: [UInt16], at place: EventContext) {
        for number in numbers where !openNumbers.contains(number) && !wasJustReceived(number, place.time) {
            guard openPackets.count < most else {
                unkept &+= 1
                continue
            }
            openNumbers.insert(number)
            openPackets.append(Open(sequence: number, time: place.time, frame: place.frame))
        }
    }

    mutating func askForPicture(at place: EventContext) {
        if openPicture == nil { openPicture = Open(sequence: 0, time: place.time, frame: place.frame) }
    }

    private func wasJustReceived(_ number: UInt16, _ time: Timestamp) -> Bool {
        guard let last = lastArrivals[number] else { return false }
        return time.seconds(since: last) < Self.secondsOfCrossing
    }

    mutating func arrived(_ number: UInt16, at time: Timestamp) {
        if arrivals.count == most {
            let oldest = arrivals.removeFirst()
            if lastArrivals[oldest.sequence] == oldest.time { lastArrivals[oldest.sequence] = nil }
        }
        arrivals.append((number, time))
        lastArrivals[number] = time
        guard openNumbers.remove(number) != nil,
            let index = openPackets.firstIndex(where: { $0.sequence == number })
        else { return }
        let seconds = time.seconds(since: openPackets[index].time)
        openPackets.remove(at: index)
        answeredPackets += 1
        packetSeconds += seconds
        slowestPacket = max(slowestPacket, seconds)
    }

    mutating func pictureCame(at time: Timestamp) {
        guard let request = openPicture else { return }
        openPicture = nil
        answeredPictures += 1
        let seconds = time.seconds(since: request.time)
        if seconds > slowestPicture?.seconds ?? -1 { slowestPicture = (seconds, request) }
    }

    /// Mean response time for a packet in milliseconds, or nil if none was retransmitted.
    package var meanAnswer: Double? {
        answeredPackets > 0 ? packetSeconds * 1_000 / Double(answeredPackets) : nil
    }

    /// The members of `rtcp` in the stream record.
    var fields: [Field] {
        var fields: [Field] = []
        if answeredPackets > 0 {
            fields.add("nacksAnswered", answeredPackets)
            fields.add("nackAnswerMs", meanAnswer)
        }
        if answeredPictures > 0 {
            fields.add("keyframesAnswered", answeredPictures)
            fields.add("keyframeAnswerMs", slowestPicture.map { $0.seconds * 1_000 })
        }
        return fields
    }
}
