import WeirPackets

/// The form of records, for flows of which the capture lacks the hellos (RFC 6347 §4.1, §4.2.2).
enum DTLSRecords {
    /// Types of handshake messages that DTLS has (RFC 6347 §4.3.2, RFC 8446).
    private static let messages: Set<UInt8> = [0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 20, 22]
    /// Octets of the shortest encrypted record: at least a code that authenticates it.
    private static let shortestEncrypted = 8
    /// The same with the header of DTLS 1.3, whose number is masked with as many octets of what is encrypted (RFC 9147).
    private static let shortestUnified = 16

    /// Whether records fill a datagram to its last octet, each as it can be: in the clear a handshake message whose fragment
    /// fits, the one octet of a change of ciphers, the two of an alert; else encrypted. Records of DTLS 1.3 that are
    /// encrypted have no form but their length, and without it count only behind one that has.
    static func fill(_ datagram: RawSpan) -> Bool {
        var offset = 0
        while let type = datagram.byte(at: offset) {
            if 32...63 ~= type {
                // The last record of a datagram may leave its length out; what is in it cannot be told from anything else.
                if offset > 0, type & 0x04 == 0 { return true }
                guard let octets = unified(datagram.clamped(offset), type) else { return false }
                offset &+= octets
                continue
            }
            guard 20...23 ~= type, let version = datagram.uint16(at: offset &+ 1),
                version == 0xFEFF || version == 0xFEFD, let epoch = datagram.uint16(at: offset &+ 3),
                // Nobody sends as many records that the upper part of the number is used.
                datagram.uint16(at: offset &+ 5) == 0, let length = datagram.uint16(at: offset &+ 11),
                offset &+ 13 &+ Int(length) <= datagram.byteCount
            else { return false }
            let body = datagram.clamped(offset &+ 13, offset &+ 13 &+ Int(length))
            guard epoch == 0 ? isPlain(type, body) : epoch < 16 && length >= shortestEncrypted else { return false }
            offset &+= 13 &+ Int(length)
        }
        return offset > 0
    }

    /// Octets of a record with the header of DTLS 1.3 (RFC 9147), of which the bits of the first octet say what is there: no
    /// identifier of the connection, a number of one octet or two, and the length; nil when the record does not fit.
    private static func unified(_ datagram: RawSpan, _ flags: UInt8) -> Int? {
        let header = flags & 0x08 != 0 ? 5 : 4
        guard flags & 0x10 == 0, flags & 0x04 != 0, let length = datagram.uint16(at: header &- 2),
            length >= shortestUnified, header &+ Int(length) <= datagram.byteCount
        else { return nil }
        return header &+ Int(length)
    }

    private static func isPlain(_ type: UInt8, _ body: RawSpan) -> Bool {
        switch type {
        case 20: body.byteCount == 1 && body.byte(at: 0) == 1
        case 21: body.byteCount == 2 && 1...2 ~= (body.byte(at: 0) ?? 0)
        case 22: isHandshake(body)
        default: false
        }
    }

    /// Whether fragments of handshake messages fill a record.
    private static func isHandshake(_ body: RawSpan) -> Bool {
        var offset = 0
        while let type = body.byte(at: offset) {
            guard messages.contains(type), let length = DTLSReader.uint24(body, offset &+ 1),
                let start = DTLSReader.uint24(body, offset &+ 6), let octets = DTLSReader.uint24(body, offset &+ 9),
                start &+ octets <= length, offset &+ 12 &+ octets <= body.byteCount
            else { return false }
            offset &+= 12 &+ octets
        }
        return offset > 0
    }
}
