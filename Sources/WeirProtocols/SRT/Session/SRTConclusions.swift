import WeirEngine
import WeirPackets

/// The conclusion requests of a caller, and the listener's responses to them.
struct SRTConclusions {
    /// Requests after which a response is overdue; libsrt sends one every 250 ms.
    private static let overdue = 3
    /// Round trips of the induction that the requests last if a response is overdue.
    private static let roundTrips = 4.0

    /// The requests.
    private(set) var count = 0
    private(set) var firstFrame = 0
    private(set) var lastFrame = 0
    /// The destination socket ID of the requests, or nil if they differ.
    private(set) var destination: UInt32?
    /// Frame and time of a response without the handshake extension that the request has.
    private(set) var bare: (frame: Int, time: Timestamp)?
    private var firstTime = Timestamp(nanoseconds: 0)
    private var lastTime = Timestamp(nanoseconds: 0)
    private var hasExtension = false
    private var isAnswered = false
    /// The time of the first induction request, and the time from there to its response in seconds.
    private var inductionTime: Timestamp?
    private var roundTrip: Double?

    /// Records a handshake of the caller.
    mutating func take(request handshake: SRTHandshake, to socket: UInt32, at place: EventContext) {
        switch handshake.kind {
        case .induction: if inductionTime == nil { inductionTime = place.time }
        case .conclusion:
            count += 1
            if count == 1 {
                firstFrame = place.frame
                firstTime = place.time
                destination = socket
            }
            if destination != socket { destination = nil }
            lastFrame = place.frame
            lastTime = place.time
            hasExtension = hasExtension || handshake.extensions.contains(1)
        default: break
        }
    }

    /// Records a handshake of the listener.
    mutating func take(response handshake: SRTHandshake, at place: EventContext) {
        guard handshake.kind != .induction else {
            if roundTrip == nil { roundTrip = inductionTime.map { place.time.seconds(since: $0) } }
            return
        }
        isAnswered = true
        // In a rendezvous, without an induction, a conclusion may have none.
        guard bare == nil, hasExtension, roundTrip != nil, handshake.kind == .conclusion,
            handshake.version == 5, !handshake.isCut, !handshake.extensions.contains(2)
        else { return }
        bare = (place.frame, place.time)
    }

    /// Whether the listener answered the induction, so that both directions are captured, and none of the requests.
    var areUnanswered: Bool {
        guard count >= Self.overdue, !isAnswered, let roundTrip else { return false }
        return lastTime.seconds(since: firstTime) > Self.roundTrips * roundTrip
    }
}
