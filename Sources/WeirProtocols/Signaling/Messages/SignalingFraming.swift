import WeirPackets

/// The framing of signaling messages.
package enum SignalingFraming: Sendable, Hashable {
    /// Terminated by a line feed.
    case newline
    /// Terminated by a NUL.
    case nul
    /// Terminated by the closing bracket only.
    case concatenated
    /// Preceded by a header with a length.
    case length(LengthHeader)
    /// One message of the carrier.
    case message
    /// The body of an HTTP message.
    case body

    /// The name in reports.
    package var name: String {
        switch self {
        case .newline: "newline"
        case .nul: "nul"
        case .concatenated: "concatenated"
        case .length(let header):
            "length\(header.width)\(header.isLittleEndian ? "le" : "be")\(header.counted > 0 ? "incl" : "")"
        case .message: "message"
        case .body: "body"
        }
    }
}

/// A header with the length of the following text.
package struct LengthHeader: Sendable, Hashable {
    /// Octets before the length: magic, type.
    package var before: Int
    /// Octets of the length: 1, 2, 4 or 8.
    package var width: Int
    /// Whether the length is little-endian.
    package var isLittleEndian: Bool
    /// Octets between the length and the text.
    package var after: Int
    /// Octets of the header included in the length: none, those of the length field, or others, too.
    package var counted: Int
    /// The magic octets at the start, if a profile defines them.
    package var magic: [UInt8] = []

    /// Creates a header format.
    package init(before: Int, width: Int, isLittleEndian: Bool, after: Int, counted: Int) {
        self.before = before
        self.width = width
        self.isLittleEndian = isLittleEndian
        self.after = after
        self.counted = counted
    }

    /// Octets of the header.
    package var octets: Int { before &+ width &+ after }

    /// Returns the length of the text after a header at `start`, or nil if the header is incomplete or its length
    /// impossible.
    func body(_ bytes: RawSpan, at start: Int) -> Int? {
        guard start >= 0, start &+ octets <= bytes.byteCount, let length = value(bytes, at: start) else { return nil }
        for (index, octet) in magic.enumerated() where bytes.byte(at: start &+ index) != octet { return nil }
        let body = length &- counted
        return body >= 0 ? body : nil
    }

    private func value(_ bytes: RawSpan, at start: Int) -> Int? {
        var value: UInt64 = 0
        for index in 0..<width {
            let place = start &+ before &+ (isLittleEndian ? width &- 1 &- index : index)
            guard let octet = bytes.byte(at: place) else { return nil }
            value = value << 8 | UInt64(octet)
        }
        return value < UInt64(Int32.max) ? Int(value) : nil
    }

    /// Infers the header before a text of `length` octets at `text`, within the octets from `start` on; of several
    /// matches, the one with the widest length, and the one that ends at the text.
    static func infer(_ bytes: RawSpan, from start: Int, text: Int, length: Int) -> Self? {
        let octets = text &- start
        for after in 0..<max(1, octets) {
            for width in [8, 4, 2, 1] where width &+ after <= octets {
                for isLittleEndian in width == 1 ? [false] : [false, true] {
                    let header = Self(
                        before: octets &- after &- width, width: width, isLittleEndian: isLittleEndian, after: after,
                        counted: 0)
                    guard let value = header.value(bytes, at: start) else { continue }
                    for counted in [0, width, width &+ after, octets] where value == length &+ counted {
                        // Of many positions, one octet in ten matches by chance: not enough for a one-octet length at
                        // any position.
                        if width == 1, after > 0 || header.before > 0 { continue }
                        return Self(
                            before: header.before, width: width, isLittleEndian: isLittleEndian, after: after,
                            counted: counted)
                    }
                }
            }
        }
        return nil
    }

    /// Whether some header between `start` and the text could contain a length of at least `length` octets.
    static func mayFit(_ bytes: RawSpan, from start: Int, text: Int, atLeast length: Int, atMost limit: Int) -> Bool {
        let octets = text &- start
        for after in 0..<max(1, octets) {
            for width in [8, 4, 2, 1] where width &+ after <= octets {
                for isLittleEndian in [false, true] {
                    let header = Self(
                        before: octets &- after &- width, width: width, isLittleEndian: isLittleEndian, after: after,
                        counted: 0)
                    if let value = header.value(bytes, at: start), value >= length, value <= limit { return true }
                }
            }
        }
        return false
    }
}

/// A framing fault of a message.
package enum FramingFault: Sendable, Hashable {
    /// The length in the header does not match the text: the length in the header, and the actual one.
    case length(said: Int, found: Int)
    /// The number of octets skipped before the message.
    case skipped(Int)
    /// The previous message lacks the delimiter of the others.
    case unended(String)
}
