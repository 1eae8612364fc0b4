import WeirEngine
import WeirPackets

/// The DTLS connection on one candidate pair.
struct DTLSConnection {
    /// The index of its pair in the session's table.
    let pair: Int
    /// The first ClientHello: sender, contents and time.
    var clientHello: (direction: Direction, hello: TLSHello, moment: ICEPair.Moment)?
    /// Whether both sides sent a ClientHello.
    private(set) var hasTwoClients = false
    /// The number of ClientHellos, including retransmissions.
    var clientHellos = 0
    /// The number of ClientHellos with the cookie of a HelloVerifyRequest, and the frame of the first.
    private(set) var cookieHellos = 0
    private(set) var cookieHello: Int?
    /// The number of ClientHellos after the ServerHello.
    private(set) var repeatedHellos = 0
    /// The first ServerHello that is not a HelloRetryRequest.
    var serverHello: (direction: Direction, hello: TLSHello, moment: ICEPair.Moment)?
    /// The random octets of both hellos.
    private(set) var randoms: (client: [UInt8]?, server: [UInt8]?)
    /// The SRTP keys derived from its master secret, if it is known.
    var srtpKeys: [SRTPKey] = []
    /// How often its secrets were searched in a key log that grows.
    var keySearches = 0
    /// Its data channels, if its records are decrypted.
    private(set) var channels: DataChannels?
    /// The certificates of both sides, and whether they match the fingerprints in the descriptions.
    var certificates: [(direction: Direction, moment: ICEPair.Moment, matches: Bool?)] = []
    /// The first encrypted handshake record of each side.
    var finished: [(direction: Direction, moment: ICEPair.Moment)] = []
    /// The sides that sent application data, which follows their handshake.
    private(set) var sendsData: [Direction] = []
    /// The first unencrypted fatal alert.
    var alert: (direction: Direction, code: UInt8, moment: ICEPair.Moment)?
    /// When one side sent an alert after its handshake, or a fatal one, which closes the connection.
    private(set) var closed: ICEPair.Moment?
    /// The number of retransmitted messages.
    var retransmissions = 0
    /// The longest datagram with a handshake message.
    var longestDatagram: (octets: Int, frame: Int)?

    /// Whether both sides sent encrypted handshake records, or application data after them.
    var isFinished: Bool { isEncrypting(.clientToServer) && isEncrypting(.serverToClient) }
    /// When the second side sent its first encrypted handshake record, or nil if it was not seen from both.
    var finishedTime: Timestamp? { finished.count == 2 ? finished.map(\.moment.time).max() : nil }

    /// The seconds of a handshake in which the ClientHello was retransmitted, if users notice them: a call usually has
    /// keys after a few round trips.
    var lateHandshake: (seconds: Double, repetitions: Int)? {
        // One with the cookie of a HelloVerifyRequest is no repetition.
        let repetitions = clientHellos - (cookieHellos > 0 ? 2 : 1)
        guard let first = clientHello, let end = finishedTime, repetitions > 0 else { return nil }
        let seconds = end.seconds(since: first.moment.time)
        return seconds >= Self.noticed ? (seconds, repetitions) : nil
    }

    /// The duration of a handshake that users notice, in seconds.
    private static let noticed = 1.0

    /// Whether one side sent encrypted handshake records, or application data after them.
    func isEncrypting(_ direction: Direction) -> Bool {
        sendsData.contains(direction) || finished.contains { $0.direction == direction }
    }

    /// The negotiated SRTP protection profile.
    var srtpProfile: UInt16? { serverHello?.hello.srtpProfiles?.first }

    /// Whether a hello of one side was captured; otherwise its messages may be missing.
    func hasSentData(_ direction: Direction) -> Bool {
        clientHello?.direction == direction || serverHello?.direction == direction
    }

    /// Updates the state for a handshake message.
    mutating func observe(_ message: DTLSMessage, _ direction: Direction, _ moment: ICEPair.Moment) {
        if message.isRetransmission { retransmissions += 1 }
        if message.datagramOctets > longestDatagram?.octets ?? 0 {
            longestDatagram = (message.datagramOctets, moment.frame)
        }
        if let found = message.channels { channels = found }
        switch message.content {
        case .clientHello(let hello):
            clientHellos += 1
            if let serverHello, serverHello.direction != direction { repeatedHellos += 1 }
            if hello.hasCookie {
                cookieHellos += 1
                cookieHello = cookieHello ?? moment.frame
            }
            if serverHello == nil { randoms.client = message.random }
            if clientHello == nil { clientHello = (direction, hello, moment) }
            if clientHello?.direction != direction { hasTwoClients = true }
        case .serverHello(let hello):
            if serverHello == nil, !hello.asksAgain {
                serverHello = (direction, hello, moment)
                randoms.server = message.random
            }
        case .alert(let isFatal, let code):
            if isFatal, alert == nil { alert = (direction, code, moment) }
            if isFatal || code == 0 { closed = closed ?? moment }
        case .encryptedAlert: closed = closed ?? moment
        case .finished:
            if !finished.contains(where: { $0.direction == direction }) { finished.append((direction, moment)) }
        case .applicationData: if !sendsData.contains(direction) { sendsData.append(direction) }
        case .certificate, .dataChannel: break
        }
    }
}
