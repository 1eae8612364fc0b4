import Synchronization
import WeirPackets

/// A data channel that a peer opens (RFC 8832 §5.1).
package struct DataChannelOpening: Sendable, Hashable {
    /// The SCTP stream.
    package let stream: UInt16
    /// The label.
    package let label: String
    /// The subprotocol; empty if there is none.
    package let subprotocol: String
    /// Whether messages may arrive out of order.
    package let isUnordered: Bool
    /// Whether messages may be lost, after a number of retransmissions or milliseconds.
    package let isPartial: Bool

    /// Octets before the label.
    private static let head = 12

    /// Parses a DATA_CHANNEL_OPEN message; nil for other messages.
    init?(_ message: RawSpan, stream: UInt16) {
        guard message.byte(at: 0) == 0x03, let type = message.byte(at: 1), let label = message.uint16(at: 8),
            let own = message.uint16(at: 10), message.byteCount >= Self.head &+ Int(label) &+ Int(own)
        else { return nil }
        let end = Self.head &+ Int(label)
        self.stream = stream
        self.label = String(decoding: message.clamped(Self.head, end).array(), as: UTF8.self)
        subprotocol = String(decoding: message.clamped(end, end &+ Int(own)).array(), as: UTF8.self)
        isUnordered = type & 0x80 != 0
        isPartial = type & 0x7F != 0
    }
}

/// The data channels of a DTLS connection, out of its SCTP packets (RFC 8831): their messages are counted, not read.
package final class DataChannels: Sendable {
    /// A data channel and its messages.
    package struct Channel: Sendable {
        /// The SCTP stream.
        package let stream: UInt16
        /// Label and protocol, or nil if its opening was not captured.
        package internal(set) var opening: DataChannelOpening?
        /// The messages and their octets that the DTLS client sent, and the server.
        package internal(set) var client = (messages: 0, octets: 0)
        package internal(set) var server = (messages: 0, octets: 0)
    }

    private struct State {
        var channels: [Channel] = []
        /// The transmission sequence numbers of each side, to recognize retransmissions.
        var client = Numbers()
        var server = Numbers()
        var isFull = false
    }

    /// The transmission sequence numbers seen of one side.
    private struct Numbers {
        /// Missing numbers that are remembered.
        private static let mostMissing = 1_024
        private var latest: UInt32?
        private var missing: Set<UInt32> = []

        /// Records a number. Returns whether it is new: the next one, or one that was missing until now.
        mutating func insert(_ number: UInt32) -> Bool {
            guard let latest else {
                latest = number
                return true
            }
            let distance = Int32(bitPattern: number &- latest)
            guard distance > 0 else { return missing.remove(number) != nil }
            let skipped = min(UInt32(distance) &- 1, UInt32(Self.mostMissing))
            if missing.count &+ Int(skipped) > Self.mostMissing { missing = [] }
            for step in 0..<skipped { missing.insert(number &- 1 &- step) }
            self.latest = number
            return true
        }
    }

    private let most: Int
    private let state = Mutex(State())

    /// Creates an empty list of at most so many channels.
    package init(most: Int) {
        self.most = most
    }

    /// Whether further channels were dropped.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// The channels, in the order of their first message.
    package var channels: [Channel] { state.withLock { $0.channels } }

    /// Types of SCTP chunks (RFC 9260 §3.3.1, RFC 8260 §2.1).
    private enum Chunk {
        static let data: UInt8 = 0
        static let interleavedData: UInt8 = 64
    }

    /// The payload protocol of DCEP (RFC 8832 §8.1).
    private static let dcep: UInt32 = 50

    /// Counts the messages in an SCTP packet, and returns the channels that it opens.
    package func take(_ packet: RawSpan, isFromClient: Bool) -> [DataChannelOpening] {
        var opened: [DataChannelOpening] = []
        // The common header: ports, verification tag, checksum.
        var offset = 12
        while let type = packet.byte(at: offset), let flags = packet.byte(at: offset &+ 1),
            let length = packet.uint16(at: offset &+ 2), length >= 4, offset &+ Int(length) <= packet.byteCount
        {
            let chunk = packet.clamped(offset, offset &+ Int(length))
            if type == Chunk.data || type == Chunk.interleavedData, let opening = take(chunk, flags, isFromClient) {
                opened.append(opening)
            }
            // Chunks are padded to four octets.
            offset &+= (Int(length) &+ 3) & ~3
        }
        return opened
    }

    private func take(_ chunk: RawSpan, _ flags: UInt8, _ isFromClient: Bool) -> DataChannelOpening? {
        let isInterleaved = chunk.byte(at: 0) == Chunk.interleavedData
        let head = isInterleaved ? 20 : 16
        guard let number = chunk.uint32(at: 4), let stream = chunk.uint16(at: 8), chunk.byteCount >= head else {
            return nil
        }
        // The first fragment has the protocol; others of an interleaved message have a number there.
        let isFirst = flags & 0x02 != 0
        let kind = isInterleaved ? (isFirst ? chunk.uint32(at: 16) : 0) : chunk.uint32(at: 12)
        let body = chunk.clamped(head)
        return state.withLock { state in
            guard isFromClient ? state.client.insert(number) : state.server.insert(number) else { return nil }
            if kind == Self.dcep {
                guard let opening = DataChannelOpening(body, stream: stream) else { return nil }
                guard let index = Self.place(of: stream, &state, most) else { return nil }
                state.channels[index].opening = opening
                return opening
            }
            guard let index = Self.place(of: stream, &state, most) else { return nil }
            let messages = isFirst ? 1 : 0
            if isFromClient {
                state.channels[index].client.messages &+= messages
                state.channels[index].client.octets &+= body.byteCount
            } else {
                state.channels[index].server.messages &+= messages
                state.channels[index].server.octets &+= body.byteCount
            }
            return nil
        }
    }

    private static func place(of stream: UInt16, _ state: inout State, _ most: Int) -> Int? {
        if let known = state.channels.firstIndex(where: { $0.stream == stream }) { return known }
        guard state.channels.count < most else {
            state.isFull = true
            return nil
        }
        state.channels.append(Channel(stream: stream))
        return state.channels.count - 1
    }
}
