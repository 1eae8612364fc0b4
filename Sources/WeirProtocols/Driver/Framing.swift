import WeirEngine
import WeirPackets

/// A connection that carries interleaved media frames (RFC 2326 §10.12), for the packets that go the short way: both
/// sides of it, and the streams that are known in it. It is looked at in place, which is why nothing here is a plain
/// getter: a copy would count references for each frame.
struct Framing {
    let client: StreamSide
    let server: StreamSide
    private var keys: [MediaKey] = []

    init(_ state: FlowState) {
        client = state.fromClient
        server = state.fromServer
        update(state)
    }

    /// Nothing.
    init() {
        client = StreamSide()
        server = client
    }

    @inline(__always)
    mutating func side(_ direction: Direction) -> StreamSide { direction == .clientToServer ? client : server }

    /// The stream of a packet, by its source and channel.
    @inline(__always)
    mutating func stream(_ ssrc: UInt32, _ channel: Int32, _ direction: Direction) -> Int32? {
        keys.stream(ssrc, channel, direction)
    }

    /// Takes the streams that are known by now. One that may be another's successor is still looked at.
    mutating func update(_ state: FlowState) {
        keys = state.keys.filter { key in !state.successions.contains { $0.now.stream == key.stream } }
    }

    /// What a frame begins with.
    static let dollar = UInt8(ascii: "$")

    /// The channel of the frame that begins here, and the octets of the whole of it; nil when its header is not all there.
    /// The caller has seen the `$`.
    @inline(__always)
    static func header(_ bytes: RawSpan) -> (channel: Int32, length: Int)? {
        guard let word = bytes.uint32(at: 0) else { return nil }
        return (Int32(word >> 16 & 0xFF), 4 &+ Int(word & 0xFFFF))
    }
}

extension [MediaKey] {
    /// The number of an open stream.
    @inline(__always)
    func stream(_ ssrc: UInt32, _ channel: Int32, _ direction: Direction) -> Int32? {
        for key in self
        where key.ssrc == ssrc && key.channel == channel && key.direction == direction && key.stream >= 0 {
            return key.stream
        }
        return nil
    }
}
