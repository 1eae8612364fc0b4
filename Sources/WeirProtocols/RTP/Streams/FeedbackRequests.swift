import WeirEngine
import WeirPackets

/// What receivers of a stream asked for, and when it came: packets again (NACK, RFC 4585 §6.2.1), and pictures that need no
/// other (PLI, RFC 4585 §6.3.1; FIR, RFC 5104 §4.3.1).
package struct FeedbackRequests: Sendable {
    /// What was asked for, and not seen since.
    package struct Open: Sendable {
        /// The packet's sequence number; 0 for a picture.
        package var sequence: UInt16
        /// When it was first asked for.
        package var time: Timestamp
        /// In which frame.
        package var frame: Int
    }

    /// A request that comes so soon behind its answer was on its way when that came, in seconds.
    private static let secondsOfCrossing = 1.0
    /// Requests that are remembered, and answers.
    private let most: Int

    /// Packets that did not come.
    package private(set) var openPackets: [Open] = []
    /// Their sequence numbers.
    private var openNumbers: Set<UInt16> = []
    /// The picture that did not come.
    package private(set) var openPicture: Open?
    /// Packets that came again.
    package private(set) var answeredPackets = 0
    /// Pictures that came.
    package private(set) var answeredPictures = 0
    /// Seconds that the slowest packet took.
    package private(set) var slowestPacket = 0.0
    /// Seconds that the slowest picture took, and where it was asked for.
    package private(set) var slowestPicture: (seconds: Double, request: Open)?
    private var packetSeconds = 0.0
    /// Packets that came late or again, the latest last.
    private var arrivals: [(sequence: UInt16, time: Timestamp)] = []
    /// When each of them came last.
    private var lastArrivals: [UInt16: Timestamp] = [:]
    /// Requests beyond those that are remembered.
    package private(set) var unkept = 0

    /// Begins without a request.
    package init(_ limits: RTPLimits = RTPLimits()) { most = max(1, limits.requests) }

    /// Whether something is to come.
    @inline(__always)
    var isWaiting: Bool { !openPackets.isEmpty || openPicture != nil }

    mutating func ask(_ numbers: [UInt16], at place: EventContext) {
        for number in numbers where !openNumbers.contains(number) && !hasJustCome(number, place.time) {
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

    private func hasJustCome(_ number: UInt16, _ time: Timestamp) -> Bool {
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

    /// The members of `rtcp` in the stream's record.
    var fields: [Field] {
        var fields: [Field] = []
        if answeredPackets > 0 {
            fields.add("nacksAnswered", answeredPackets)
            fields.add("nackAnswerMs", packetSeconds * 1_000 / Double(answeredPackets))
        }
        if answeredPictures > 0 {
            fields.add("keyframesAnswered", answeredPictures)
            fields.add("keyframeAnswerMs", slowestPicture.map { $0.seconds * 1_000 })
        }
        return fields
    }
}
