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

        /// Whether it is a key, which has an end; what is beyond those may be a state, which another ends (RFC 4733 §2.5.1.2).
        var isKey: Bool { number < 16 }
    }

    /// Where a key that nothing ended had its last packet.
    struct Unended: Sendable {
        let timestamp: UInt32
        let sequence: UInt16
        let frame: Int
        let time: Timestamp
        /// Number of the next event's first packet.
        var next: UInt16 = 0
    }

    private var current: Event?
    /// Where the last packet of the event was.
    private var latest = Unended(timestamp: 0, sequence: 0, frame: 0, time: Timestamp(nanoseconds: 0))
    /// Whether packets are missing since then: one of them may have ended the event.
    private var lacksEnd = false
    /// Whether the capture cut a packet: it may have been one that ends an event.
    private var lacksPackets = false
    /// What the last packet breaks.
    private(set) var faults: PacketFaults = []
    /// Whether the packet before it, by its number, was of the same payload type and is there.
    private(set) var follows = false
    /// The event before this one, where no packet that came ended it: one that overtook may still do.
    private(set) var waiting: Unended?
    /// The one before that.
    private(set) var unended: Unended?
    private var lastPlace: Unended?
    /// Events that came.
    package private(set) var count = 0

    /// Takes a packet; returns an event that is over.
    mutating func observe(_ bytes: RawSpan, _ header: RTPHeader, _ order: PacketOrder) -> Event? {
        faults = []
        unended = nil
        follows = order.isNext
        guard let number = bytes.byte(at: 0), let flags = bytes.byte(at: 1), let duration = bytes.uint16(at: 2) else {
            lacksPackets = true
            return nil
        }
        let isEnd = flags & 0x80 != 0
        if isEnd, waiting?.timestamp == header.timestamp { waiting = nil }
        var over: Event?
        if let last = current, last.timestamp != header.timestamp || last.number != number {
            if goesOn(last, number, duration, isEnd: isEnd, header) {
                faults.insert(.eventTimestamp)
                current?.timestamp = header.timestamp
            } else {
                if !last.isEnded { end(last, header, &over) }
                current = nil
            }
        }
        latest = Unended(
            timestamp: header.timestamp, sequence: header.sequenceNumber, frame: order.frame, time: order.time)
        lacksEnd = false
        if current == nil { count &+= 1 }
        var event =
            current
            ?? Event(
                number: number, volume: flags & 0x3F, duration: 0, timestamp: header.timestamp,
                sequence: header.sequenceNumber, frame: order.frame)
        event.duration = max(event.duration, duration)
        if isEnd, !event.isEnded {
            event.isEnded = true
            if over == nil { over = event }
        }
        current = event
        return over
    }

    /// Another event began. A long one goes on in segments, each of which begins where the one before ended (§2.5.1.3).
    private mutating func end(_ last: Event, _ header: RTPHeader, _ over: inout Event?) {
        over = last
        let step = header.timestamp &- last.timestamp
        guard last.isKey, !lacksPackets, !lacksEnd, step != UInt32(last.duration), Int32(bitPattern: step) > 0 else {
            return
        }
        unended = waiting
        waiting = latest
        waiting?.next = header.sequenceNumber
    }

    /// Packets of the stream were given up as lost.
    mutating func lose(_ gap: SequenceTracker.Gap) {
        if Int16(bitPattern: gap.first &- latest.sequence) > 0 { lacksEnd = true }
        if let place = waiting, Int16(bitPattern: gap.first &- place.sequence) > 0,
            Int16(bitPattern: place.next &- gap.first) > 0
        {
            waiting = nil
        }
    }

    /// Where the last event had its last packet, when nothing that came ended it, and nothing is missing since.
    var last: Unended? { lacksEnd ? nil : lastPlace }

    /// Whether a packet with the same key, and with a later timestamp, is of the same event all the same: it has no marker, as the
    /// first of an event has, and lasts on. A new segment of a long event begins anew.
    private func goesOn(
        _ last: Event, _ number: UInt8, _ duration: UInt16, isEnd: Bool, _ header: RTPHeader
    ) -> Bool {
        guard last.number == number, !header.marker, Int32(bitPattern: header.timestamp &- last.timestamp) > 0 else {
            return false
        }
        return isEnd ? duration >= last.duration : !last.isEnded && duration > last.duration
    }

    /// The event that was not said to be over, at the end of the stream.
    mutating func finish() -> Event? {
        defer { current = nil }
        unended = nil
        if let current, current.isKey, !current.isEnded, !lacksPackets { lastPlace = latest }
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
