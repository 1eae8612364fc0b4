import WeirPackets

/// The structure of records, for flows whose hellos were not captured (RFC 6347 §4.1, §4.2.2).
enum DTLSRecords {
    /// Types of DTLS handshake messages (RFC 6347 §4.3.2, RFC 8446).
    private static let messages: Set<UInt8> = [0, 1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 20, 22]
    /// The minimum length of an encrypted record in octets: at least an authentication tag.
    private static let shortestEncrypted = 8
    /// The minimum length with the unified header of DTLS 1.3, whose sequence number is encrypted with as many octets
    /// of the ciphertext (RFC 9147).
    private static let shortestUnified = 16

    /// Whether plausible records fill a datagram to its last octet. Unencrypted records contain a handshake message
    /// whose fragment fits, one octet of ChangeCipherSpec, or two octets of an alert; others are encrypted. Encrypted
    /// records of DTLS 1.3 have no structure but their length, and without a length count only after one that has it.
    static func fill(_ datagram: RawSpan) -> Bool {
        var offset = 0
        while let type = datagram.byte(at: offset) {
            if 32...63 ~= type {
                // The last record of a datagram may omit its length; its contents cannot be checked.
                if offset > 0, type & 0x04 == 0 { return true }
                guard let octets = unified(datagram.clamped(offset), type) else { return false }
                offset &+= octets
                continue
            }
            guard 20...23 ~= type, let version = datagram.uint16(at: offset &+ 1),
                version == 0xFEFF || version == 0xFEFD, let epoch = datagram.uint16(at: offset &+ 3),
                // No connection sends so many records that the upper part of the sequence number is used.
                datagram.uint16(at: offset &+ 5) == 0, let length = datagram.uint16(at: offset &+ 11),
                offset &+ 13 &+ Int(length) <= datagram.byteCount
            else { return false }
            let body = datagram.clamped(offset &+ 13, offset &+ 13 &+ Int(length))
            guard epoch == 0 ? isPlain(type, body) : epoch < 16 && length >= shortestEncrypted else { return false }
            offset &+= 13 &+ Int(length)
        }
        return offset > 0
    }

    /// Returns the length of a record with the unified header of DTLS 1.3 (RFC 9147), whose flags indicate its fields:
    /// no connection ID, a sequence number of one octet or two, and the length; nil if the record does not fit.
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
