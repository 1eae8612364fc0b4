import WeirEngine
import WeirPackets

/// Tracks named telephone events (RFC 4733): key presses, each in several packets with the same timestamp and
/// increasing duration, the last ones with the end bit.
package struct TelephoneEvents: Sendable {
    /// A telephone event.
    package struct Event: Sendable, Hashable {
        /// The event code: 0 to 9, 10 for *, 11 for #, 12 to 15 for A to D.
        package var number: UInt8
        /// The volume, in -dBm0.
        package var volume: UInt8
        /// The duration in ticks of the clock.
        package var duration: UInt16
        /// Timestamp of its packets: its start.
        package var timestamp: UInt32
        /// Sequence number of its first packet.
        package var sequence: UInt16
        /// The frame of its first packet.
        package var frame: Int
        /// Whether a packet had the end bit.
        package var isEnded = false

        /// Whether it is a key, which has an end. Others may be states, ended by another state (RFC 4733 §2.5.1.2).
        var isKey: Bool { number < 16 }
    }

    /// The last packet of a key event that was not ended.
    struct Unended: Sendable {
        let timestamp: UInt32
        let sequence: UInt16
        let frame: Int
        let time: Timestamp
        /// Number of the next event's first packet.
        var next: UInt16 = 0
    }

    private var current: Event?
    /// The last packet of the event.
    private var latest = Unended(timestamp: 0, sequence: 0, frame: 0, time: Timestamp(nanoseconds: 0))
    /// Whether packets are missing since then, one of which may have ended the event.
    private var lacksEnd = false
    /// Whether a packet was truncated, which may have ended an event.
    private var lacksPackets = false
    /// Faults of the last packet.
    private(set) var faults: PacketFaults = []
    /// Whether the packet with the preceding number was received and has the same payload type.
    private(set) var follows = false
    /// The previous event, if not ended by a received packet; a reordered one may still end it.
    private(set) var waiting: Unended?
    /// The event before that.
    private(set) var unended: Unended?
    private var lastPlace: Unended?
    /// Number of events.
    package private(set) var count = 0

    /// Processes a packet; returns a completed event.
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

    /// Ends the previous event when another one begins. A long event continues in segments, each of which begins where
    /// the previous one ended (§2.5.1.3).
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

    /// Records packets given up as lost.
    mutating func lose(_ gap: SequenceTracker.Gap) {
        if Int16(bitPattern: gap.first &- latest.sequence) > 0 { lacksEnd = true }
        if let place = waiting, Int16(bitPattern: gap.first &- place.sequence) > 0,
            Int16(bitPattern: place.next &- gap.first) > 0
        {
            waiting = nil
        }
    }

    /// The last packet of the last event, if nothing received ended it and nothing is missing since.
    var last: Unended? { lacksEnd ? nil : lastPlace }

    /// Returns whether a packet with the same key and a later timestamp belongs to the same event: it has no marker,
    /// unlike the first packet of an event, and its duration increases. A segment of a long event counts as new.
    private func goesOn(
        _ last: Event, _ number: UInt8, _ duration: UInt16, isEnd: Bool, _ header: RTPHeader
    ) -> Bool {
        guard last.number == number, !header.marker, Int32(bitPattern: header.timestamp &- last.timestamp) > 0 else {
            return false
        }
        return isEnd ? duration >= last.duration : !last.isEnded && duration > last.duration
    }

    /// Returns the event without an end, at the end of the stream.
    mutating func finish() -> Event? {
        defer { current = nil }
        unended = nil
        if let current, current.isKey, !current.isEnded, !lacksPackets { lastPlace = latest }
        return current.flatMap { $0.isEnded ? nil : $0 }
    }
}

/// A completed telephone event: a key press and its duration (RFC 4733).
///
/// The key is a secret: people dial card and account numbers.
package struct RTPTelephoneEvent: Message, Hashable {
    /// The SSRC.
    package var ssrc: UInt32
    /// The event.
    package var event: TelephoneEvents.Event
    /// The clock rate in Hz, or nil if unknown.
    package var clockRate: Int?

    /// The protocol name, `rtp`.
    package var protocolName: String { "rtp" }
    /// The message kind, `telephoneEvent`.
    package var kind: String { "telephoneEvent" }

    private var milliseconds: Double? {
        clockRate.flatMap { $0 > 0 ? Double(event.duration) * 1_000 / Double($0) : nil }
    }

    /// The key on a telephone, or nil for other events.
    private var key: String? {
        switch event.number {
        case 0...9: String(event.number)
        case 10: "*"
        case 11: "#"
        case 12...15: String(UnicodeScalar(UInt8(ascii: "A") &+ (event.number &- 12)))
        default: nil
        }
    }

    /// Returns the key and the duration.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = key.map { "key \(secrets.apply($0))" } ?? "telephone event \(event.number)"
        if let milliseconds { words += " for \(rounded(milliseconds, places: 0))\u{A0}ms" }
        return event.isEnded ? words : words + ", no end packet"
    }

    /// An explanation of the event.
    package var note: Text? { Text("rtp.telephoneEvent") }

    /// Returns the fields of its packets.
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
