import WeirPackets
import WeirTesting

/// Sends a conversation again in different segments.
///
/// All segments of a turn have the same time, so that measurements do not depend on segmentation. The other side
/// acknowledges at the end of each turn.
package struct Replay {
    /// A segment of a turn.
    package struct Piece: Sendable {
        /// The range of octets in the turn.
        package var range: Range<Int>
        /// Whether the capture contains the packet twice.
        package var isCapturedTwice = false
        /// Whether the packet is missing from the capture.
        package var isMissing = false

        /// Creates a piece that is sent once.
        package init(_ range: Range<Int>) {
            self.range = range
        }
    }

    /// The frames.
    package private(set) var frames: [KeptFrame] = []
    /// Octets missing from the capture, by connection and direction: their positions in the stream.
    package private(set) var missing: [(connection: Int, direction: Direction, range: Range<Int>)] = []

    private struct Side {
        var initial: UInt32
        var sent = 0
        var next: UInt32 { initial &+ 1 &+ UInt32(truncatingIfNeeded: sent) }
    }

    private let conversation: Conversation
    private var random: SeededGenerator
    private var sides: [Int: [Direction: Side]] = [:]
    private var identification = 0
    private var turn = 0

    /// Replays a conversation; `cut` returns the pieces of a turn of a given length.
    ///
    /// - Parameter acknowledges: the number of pieces after which the other side acknowledges, in addition to the end
    ///   of a turn.
    package init(
        _ conversation: Conversation,
        seed: UInt64 = 0,
        acknowledges: Int? = nil,
        cut: (Int, inout SeededGenerator) -> [Piece]
    ) {
        self.conversation = conversation
        random = SeededGenerator(seed)
        for next in conversation.turns {
            turn += 1
            if sides[next.connection] == nil { connect(next.connection) }
            let base = sent(next)
            for (index, piece) in cut(next.octets.count, &random).enumerated() {
                send(next, piece, base)
                if let acknowledges, index % acknowledges == acknowledges - 1 {
                    acknowledge(next, base + piece.range.upperBound)
                }
            }
            sides[next.connection]?[next.direction]?.sent = base + next.octets.count
            acknowledge(next, base + next.octets.count)
        }
        turn += 1
        for connection in sides.keys.sorted() { close(connection) }
    }

    private func sent(_ turn: Conversation.Turn) -> Int { sides[turn.connection]?[turn.direction]?.sent ?? 0 }

    private mutating func connect(_ connection: Int) {
        // Half of the streams wrap.
        func initial() -> UInt32 {
            random.chance(2)
                ? .random(in: UInt32.max - 20_000 ... .max, using: &random) : .random(in: 0...1 << 31, using: &random)
        }
        let client = Side(initial: initial())
        let server = Side(initial: initial())
        sides[connection] = [.clientToServer: client, .serverToClient: server]
        add(connection, .clientToServer, sequence: client.initial, acknowledgment: 0, flags: .syn)
        add(
            connection, .serverToClient, sequence: server.initial, acknowledgment: client.next, flags: [.syn, .ack])
        add(connection, .clientToServer, sequence: client.next, acknowledgment: server.next)
    }

    private mutating func close(_ connection: Int) {
        for direction in [Direction.clientToServer, .serverToClient] {
            guard let mine = sides[connection]?[direction], let other = sides[connection]?[direction.opposite] else {
                continue
            }
            add(connection, direction, sequence: mine.next, acknowledgment: other.next, flags: [.fin, .ack])
        }
    }

    private mutating func send(_ turn: Conversation.Turn, _ piece: Piece, _ base: Int) {
        guard let mine = sides[turn.connection]?[turn.direction],
            let other = sides[turn.connection]?[turn.direction.opposite]
        else { return }
        guard !piece.isMissing else {
            let range = base + piece.range.lowerBound..<base + piece.range.upperBound
            missing.append((turn.connection, turn.direction, range))
            return
        }
        add(
            turn.connection, turn.direction,
            sequence: mine.next &+ UInt32(truncatingIfNeeded: piece.range.lowerBound), acknowledgment: other.next,
            payload: Array(turn.octets[piece.range]))
        guard piece.isCapturedTwice, var again = frames.last else { return }
        again.info.number += 1
        frames.append(again)
    }

    private mutating func acknowledge(_ turn: Conversation.Turn, _ position: Int) {
        guard let mine = sides[turn.connection]?[turn.direction],
            let other = sides[turn.connection]?[turn.direction.opposite]
        else { return }
        add(
            turn.connection, turn.direction.opposite, sequence: other.next,
            acknowledgment: mine.initial &+ 1 &+ UInt32(truncatingIfNeeded: position))
    }

    private mutating func add(
        _ connection: Int, _ direction: Direction, sequence: UInt32, acknowledgment: UInt32, flags: TCPFlags = .ack,
        payload: [UInt8] = []
    ) {
        let ends = conversation.connections[connection]
        let isForward = direction == .clientToServer
        identification = identification % 65_535 + 1
        frames.append(
            KeptFrame(
                packet: PacketBuilder.tcp(
                    payload, from: isForward ? ends.client : ends.server, to: isForward ? ends.server : ends.client,
                    sequence: sequence, acknowledgment: acknowledgment, flags: flags,
                    identification: identification),
                number: frames.count + 1, time: Timestamp(nanoseconds: Int64(turn) * 10_000_000)))
    }
}

extension Replay.Piece {
    /// Returns consecutive pieces of random sizes up to `largest`.
    package static func random(_ count: Int, upTo largest: Int, _ random: inout SeededGenerator) -> [Self] {
        var pieces: [Self] = []
        var start = 0
        while start < count {
            let end = min(count, start + Int.random(in: 1...largest, using: &random))
            pieces.append(Self(start..<end))
            start = end
        }
        return pieces
    }
}
