import WeirPackets

/// A packet of Engine.IO, and of Socket.IO inside it, as WebSocket messages and bodies of HTTP carry them: a digit or two,
/// then JSON. Both protocols have no RFC; the digits are those of their own specifications, Engine.IO 4 and Socket.IO 5.
struct EngineIOPacket {
    /// What it does, where no JSON of the application's own says so.
    enum Purpose {
        /// It opens the connection, or joins a namespace.
        case open
        /// It closes it, or leaves.
        case close
        /// It asks whether the other side is there.
        case ping
        /// It answers that.
        case pong
        /// It is refused.
        case error
        /// It carries a message.
        case message
    }

    /// What it does.
    var purpose: Purpose
    /// Where its JSON is; empty when it has none.
    var text: Range<Int>

    /// The names of its packets, for people.
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

    /// Reads a packet that takes all of `range`; nil when it does not begin like one.
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
        // A namespace up to its comma, and the number of an acknowledgement.
        if bytes.byte(at: offset) == ASCII.slash {
            while offset < range.upperBound, let octet = bytes.byte(at: offset), octet != ASCII.comma { offset &+= 1 }
            offset &+= 1
        }
        while offset < range.upperBound, let octet = bytes.byte(at: offset), ASCII.isDigit(octet) { offset &+= 1 }
        text = min(offset, range.upperBound)..<range.upperBound
        let begins = bytes.byte(at: text.lowerBound)
        guard text.isEmpty || begins == UInt8(ascii: "{") || begins == UInt8(ascii: "[") else {
            // What a ping asks to be given back.
            guard purpose == .ping || purpose == .pong, bytes.clamped(offset, range.upperBound).text() == "probe" else {
                return nil
            }
            text = range.upperBound..<range.upperBound
            return
        }
        if purpose == .ping || purpose == .pong, !text.isEmpty { return nil }
    }

    /// The packets of a body: several have an octet of value 30 between them (Engine.IO 4), or each has its length and a
    /// colon before it (Engine.IO 3).
    ///
    /// - Parameter most: how many are read.
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
