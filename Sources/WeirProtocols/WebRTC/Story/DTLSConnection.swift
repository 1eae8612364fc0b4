import WeirEngine
package import WeirPackets

/// What a session knows of the DTLS connection on one pair.
package struct DTLSConnection {
    /// Its pair, as a place in the session's table.
    package let pair: Int
    /// The first ClientHello: who sent it, and when.
    package internal(set) var clientHello: (direction: Direction, hello: TLSHello, moment: ICEPair.Moment)?
    /// Whether both sides sent a ClientHello.
    package private(set) var hasTwoClients = false
    /// ClientHellos, those sent again included.
    package internal(set) var clientHellos = 0
    /// The first ServerHello that chooses.
    package internal(set) var serverHello: (direction: Direction, hello: TLSHello, moment: ICEPair.Moment)?
    /// The certificates that the sides showed, and whether their hashes are those of the descriptions.
    package internal(set) var certificates: [(direction: Direction, moment: ICEPair.Moment, matches: Bool?)] = []
    /// The first encrypted handshake record of each side.
    package internal(set) var finished: [(direction: Direction, moment: ICEPair.Moment)] = []
    /// The sides that sent data, which come after their handshake.
    private(set) var sendsData: [Direction] = []
    /// The first fatal alert in the clear.
    package internal(set) var alert: (direction: Direction, code: UInt8, moment: ICEPair.Moment)?
    /// When one side sent an alert behind its handshake, or a fatal one: then it has closed the connection.
    private(set) var closed: ICEPair.Moment?
    /// Messages that were sent again.
    package internal(set) var retransmissions = 0
    /// The longest datagram with a handshake message.
    package internal(set) var longestDatagram: (octets: Int, frame: Int)?

    /// Whether both sides came to encrypted handshake records, or data behind them.
    package var isFinished: Bool { isEncrypting(.clientToServer) && isEncrypting(.serverToClient) }
    /// When the second side came to its first encrypted handshake record; nil when that was not seen of both.
    package var finishedTime: Timestamp? { finished.count == 2 ? finished.map(\.moment.time).max() : nil }

    /// Whether one side came that far.
    package func isEncrypting(_ direction: Direction) -> Bool {
        sendsData.contains(direction) || finished.contains { $0.direction == direction }
    }

    /// The protection profile of SRTP that was chosen.
    package var srtpProfile: UInt16? { serverHello?.hello.srtpProfiles?.first }

    /// Whether the capture holds a hello of one side: else what it sent may be missing.
    package func hasSpoken(_ direction: Direction) -> Bool {
        clientHello?.direction == direction || serverHello?.direction == direction
    }

    /// Takes note of a step.
    mutating func observe(_ message: DTLSMessage, _ direction: Direction, _ moment: ICEPair.Moment) {
        if message.isRetransmission { retransmissions += 1 }
        if message.datagramOctets > longestDatagram?.octets ?? 0 {
            longestDatagram = (message.datagramOctets, moment.frame)
        }
        switch message.content {
        case .clientHello(let hello):
            clientHellos += 1
            if clientHello == nil { clientHello = (direction, hello, moment) }
            if clientHello?.direction != direction { hasTwoClients = true }
        case .serverHello(let hello):
            if serverHello == nil, !hello.asksAgain { serverHello = (direction, hello, moment) }
        case .alert(let isFatal, let code):
            if isFatal, alert == nil { alert = (direction, code, moment) }
            if isFatal || code == 0 { closed = closed ?? moment }
        case .encryptedAlert: closed = closed ?? moment
        case .finished:
            if !finished.contains(where: { $0.direction == direction }) { finished.append((direction, moment)) }
        case .applicationData: if !sendsData.contains(direction) { sendsData.append(direction) }
        case .certificate: break
        }
    }
}
