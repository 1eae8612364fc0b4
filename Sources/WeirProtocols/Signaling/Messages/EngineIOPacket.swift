import WeirPackets

/// A packet of Engine.IO, and of Socket.IO inside it, in WebSocket messages and HTTP bodies: one or two digits, then
/// JSON. Neither protocol has an RFC; the digits are those of their own specifications, Engine.IO 4 and Socket.IO 5.
struct EngineIOPacket {
    /// The purpose of a packet, apart from JSON of the application.
    enum Purpose {
        /// Opens the connection, or connects to a namespace.
        case open
        /// Closes the connection, or disconnects from a namespace.
        case close
        /// A ping.
        case ping
        /// A pong.
        case pong
        /// A connection error.
        case error
        /// A message.
        case message
    }

    /// The purpose.
    var purpose: Purpose
    /// The range of its JSON; empty if there is none.
    var text: Range<Int>

    /// The display name of the packet.
    var name: String {
        switch purpose {
        case .open: "open"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        case .error: "error"
        case .message: "message"
        }
    }

    /// Parses a packet that fills `range`; nil if it does not start like one.
    init?(_ bytes: RawSpan, _ range: Range<Int>) {
        guard range.upperBound <= bytes.byteCount, let first = bytes.byte(at: range.lowerBound), range.count > 0 else {
            return nil
        }
        var offset = range.lowerBound &+ 1
        switch first {
        case UInt8(ascii: "0"): purpose = .open
        case UInt8(ascii: "1"): purpose = .close
        case UInt8(ascii: "2"): purpose = .ping
        case UInt8(ascii: "3"): purpose = .pong
        case UInt8(ascii: "4"):
            guard let type = bytes.byte(at: offset), offset < range.upperBound else { return nil }
            offset &+= 1
            switch type {
            case UInt8(ascii: "0"): purpose = .open
            case UInt8(ascii: "1"): purpose = .close
            case UInt8(ascii: "2"), UInt8(ascii: "3"): purpose = .message
            case UInt8(ascii: "4"): purpose = .error
            default: return nil
            }
        default: return nil
        }
        // The namespace up to its comma, and the acknowledgment ID.
        if bytes.byte(at: offset) == ASCII.slash {
            while offset < range.upperBound, let octet = bytes.byte(at: offset), octet != ASCII.comma { offset &+= 1 }
            offset &+= 1
        }
        while offset < range.upperBound, let octet = bytes.byte(at: offset), ASCII.isDigit(octet) { offset &+= 1 }
        text = min(offset, range.upperBound)..<range.upperBound
        let begins = bytes.byte(at: text.lowerBound)
        guard text.isEmpty || begins == UInt8(ascii: "{") || begins == UInt8(ascii: "[") else {
            // The payload of a probe.
            guard purpose == .ping || purpose == .pong, bytes.clamped(offset, range.upperBound).text() == "probe" else {
                return nil
            }
            text = range.upperBound..<range.upperBound
            return
        }
        if purpose == .ping || purpose == .pong, !text.isEmpty { return nil }
    }

    /// Returns the packets in a body, either separated by an octet of value 30 (Engine.IO 4), or each after its length
    /// and a colon (Engine.IO 3).
    ///
    /// - Parameter most: The maximum number of packets.
    static func all(_ bytes: RawSpan, most: Int) -> [Self] {
        var packets: [Self] = []
        var start = 0
        while start < bytes.byteCount, packets.count < most {
            var place = start
            var length = 0
            while let octet = bytes.byte(at: place), ASCII.isDigit(octet), place &- start < 7 {
                length = length * 10 + Int(octet & 15)
                place &+= 1
            }
            if place > start, bytes.byte(at: place) == ASCII.colon, length > 0 {
                let end = min(bytes.byteCount, place &+ 1 &+ length)
                guard let packet = Self(bytes, place &+ 1..<end) else { return [] }
                packets.append(packet)
                start = end
                continue
            }
            let end = bytes.firstOffset(of: 0x1E, from: start) ?? bytes.byteCount
            guard let packet = Self(bytes, start..<end) else { return [] }
            packets.append(packet)
            start = end &+ 1
        }
        return packets
    }
}
