import WeirEngine
import WeirPackets

/// Follows named telephone events (RFC 4733): keys that are pressed, each in several packets of one timestamp that say how long
/// it has lasted, the last ones of which have the end bit.
package struct TelephoneEvents: Sendable {
    /// An event.
    package struct Event: Sendable, Hashable {
        /// Its number: 0 to 9, 10 for *, 11 for #, 12 to 15 for A to D.
        package var number: UInt8
        /// How loud, in dBm0 below 0.
        package var volume: UInt8
        /// How long, in ticks of the clock.
        package var duration: UInt16
        /// Timestamp of its packets: when it began.
        package var timestamp: UInt32
        /// Sequence number of its first packet.
        package var sequence: UInt16
        /// The frame of its first packet.
        package var frame: Int
        /// Whether a packet said that it is over.
        package var isEnded = false
    }

    private var current: Event?
    /// Events that came.
    package private(set) var count = 0

    /// Takes a packet; returns an event that is over.
    mutating func observe(_ bytes: RawSpan, _ header: RTPHeader, frame: Int) -> Event? {
        guard let number = bytes.byte(at: 0), let flags = bytes.byte(at: 1), let duration = bytes.uint16(at: 2) else {
            return nil
        }
        var over: Event?
        if let last = current, last.timestamp != header.timestamp || last.number != number {
            if !last.isEnded { over = last }
            current = nil
        }
        if current == nil { count &+= 1 }
        var event =
            current
            ?? Event(
                number: number, volume: flags & 0x3F, duration: 0, timestamp: header.timestamp,
                sequence: header.sequenceNumber, frame: frame)
        event.duration = max(event.duration, duration)
        if flags & 0x80 != 0, !event.isEnded {
            event.isEnded = true
            if over == nil { over = event }
        }
        current = event
        return over
    }

    /// The event that was not said to be over, at the end of the stream.
    mutating func finish() -> Event? {
        defer { current = nil }
        return current.flatMap { $0.isEnded ? nil : $0 }
    }
}

/// A telephone event is over: a key was pressed, for so long (RFC 4733).
///
/// Which key is a secret: people dial numbers of cards and accounts.
package struct RTPTelephoneEvent: Message, Hashable {
    /// The source.
    package var ssrc: UInt32
    /// What came.
    package var event: TelephoneEvents.Event
    /// Ticks of the clock in a second; nil when it is not known.
    package var clockRate: Int?

    /// `rtp`.
    package var protocolName: String { "rtp" }
    /// `telephoneEvent`.
    package var kind: String { "telephoneEvent" }

    private var milliseconds: Double? {
        clockRate.flatMap { $0 > 0 ? Double(event.duration) * 1_000 / Double($0) : nil }
    }

    /// The key as it stands on a telephone; nil for other events.
    private var key: String? {
        switch event.number {
        case 0...9: String(event.number)
        case 10: "*"
        case 11: "#"
        case 12...15: String(UnicodeScalar(UInt8(ascii: "A") &+ (event.number &- 12)))
        default: nil
        }
    }

    /// Which key, and how long.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = key.map { "key \(secrets.apply($0))" } ?? "telephone event \(event.number)"
        if let milliseconds { words += " for \(rounded(milliseconds, places: 0))\u{A0}ms" }
        return event.isEnded ? words : words + ", and no packet that ends it"
    }

    /// Says what it is.
    package var note: Text? { Text("rtp.telephoneEvent") }

    /// The numbers of its packets.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("sequence", Int(event.sequence))
        fields.add("timestamp", Int(event.timestamp))
        if let key { fields.add("key", secrets.apply(key)) } else { fields.add("event", Int(event.number)) }
        fields.add("durationMs", milliseconds)
        fields.add("volume", -Int(event.volume))
        fields.add("ended", event.isEnded)
        return fields
    }
}
