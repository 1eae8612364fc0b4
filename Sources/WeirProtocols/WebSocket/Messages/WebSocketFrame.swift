import WeirPackets

/// The header of a WebSocket frame (RFC 6455 §5.2).
package struct WebSocketFrame: Sendable, Hashable {
    /// The opcode of a frame (RFC 6455 §11.8).
    package enum Opcode: UInt8, Sendable {
        /// Continuation frame.
        case continuation = 0
        /// Text frame.
        case text = 1
        /// Binary frame.
        case binary = 2
        /// Connection close frame.
        case close = 8
        /// Ping frame.
        case ping = 9
        /// Pong frame.
        case pong = 10
    }

    /// Octets of a header without extended length and masking key.
    private static let shortest = 2

    /// FIN: whether it is the last frame of its message.
    package var isFinal: Bool
    /// The three reserved bits, RSV1 highest.
    package var reserved: UInt8
    /// The opcode, possibly reserved.
    package var opcode: UInt8
    /// The masking key, if the payload is masked.
    package var mask: UInt32?
    /// The payload length in octets.
    package var length: Int
    /// Whether the length encoding is not minimal, or has its most significant bit set.
    package var hasLongLength: Bool
    /// Octets of the header.
    package var headerOctets: Int

    /// The opcode, or nil if reserved.
    package var purpose: Opcode? { Opcode(rawValue: opcode) }
    /// Whether it is a control frame: opcodes from 8 on (RFC 6455 §5.5).
    package var isControl: Bool { opcode & 0x08 != 0 }
    /// Whether RSV1 is set, which indicates compression (RFC 7692 §6).
    package var isCompressed: Bool { reserved & 0x4 != 0 }
    /// Octets of header and payload.
    package var octets: Int { headerOctets &+ length }

    /// Parses the header at `start`; nil if it is incomplete.
    package init?(_ bytes: RawSpan, at start: Int = 0) {
        guard let first = bytes.byte(at: start), let second = bytes.byte(at: start &+ 1) else { return nil }
        isFinal = first & 0x80 != 0
        reserved = first >> 4 & 0x7
        opcode = first & 0x0F
        headerOctets = Self.shortest
        switch second & 0x7F {
        case 126:
            guard let extended = bytes.uint16(at: start &+ 2) else { return nil }
            length = Int(extended)
            hasLongLength = extended < 126
            headerOctets &+= 2
        case 127:
            guard let extended = bytes.uint64(at: start &+ 2) else { return nil }
            length = Int(clamping: min(extended, UInt64(Int32.max)))
            hasLongLength = extended <= 0xFFFF || extended >> 63 != 0
            headerOctets &+= 8
        case let short:
            length = Int(short)
            hasLongLength = false
        }
        mask = nil
        guard second & 0x80 != 0 else { return }
        guard let key = bytes.uint32(at: start &+ headerOctets) else { return nil }
        mask = key
        headerOctets &+= 4
    }

    /// Appends the available part of the payload at `start`, unmasked (RFC 6455 §5.3).
    package func unmask(_ bytes: RawSpan, at start: Int, into output: inout [UInt8]) {
        let payload = bytes.clamped(start, start &+ length)
        guard let mask, mask != 0 else { return payload.append(to: &output) }
        output.reserveCapacity(output.count &+ payload.byteCount)
        var key = mask
        for offset in 0..<payload.byteCount {
            guard let octet = payload.byte(at: offset) else { return }
            output.append(octet ^ UInt8(truncatingIfNeeded: key >> 24))
            key = key << 8 | key >> 24
        }
    }

    /// Whether it is valid without extensions other than compression, which is rare by chance.
    package var isPlausible: Bool {
        guard let purpose, !hasLongLength, reserved & 0x3 == 0 else { return false }
        if isControl { return isFinal && reserved == 0 && length <= 125 }
        return !(isCompressed && purpose == .continuation)
    }
}
