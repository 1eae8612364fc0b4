import WeirPackets

/// How the end of a signaling message is found.
package enum SignalingFraming: Sendable, Hashable {
    /// A line feed ends it.
    case newline
    /// An octet of value 0 ends it.
    case nul
    /// Nothing but its own last bracket ends it.
    case concatenated
    /// A header before it says how long it is.
    case length(LengthHeader)
    /// It is one message of what carries it.
    case message
    /// It is a body.
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

/// A header that says how long the text behind it is.
package struct LengthHeader: Sendable, Hashable {
    /// Octets before the length: magic words, types.
    package var before: Int
    /// Octets of the length: 1, 2, 4 or 8.
    package var width: Int
    /// Whether its least significant octet comes first.
    package var isLittleEndian: Bool
    /// Octets between the length and the text.
    package var after: Int
    /// How many octets of the header the length counts beside the text: none, its own, or also others.
    package var counted: Int
    /// What the header begins with, if a profile says so.
    package var magic: [UInt8] = []

    /// Describes a header.
    package init(before: Int, width: Int, isLittleEndian: Bool, after: Int, counted: Int) {
        self.before = before
        self.width = width
        self.isLittleEndian = isLittleEndian
        self.after = after
        self.counted = counted
    }

    /// Octets of the header.
    package var octets: Int { before &+ width &+ after }

    /// Octets of the text behind a header that begins at `start`; nil when the header is not there, or says a length that
    /// no text has.
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

    /// The header before a text of `length` octets that begins at `text`, of those that lie in `bytes` from `start` on;
    /// where several fit, the one with the widest length, and the one that ends at the text.
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
                        // One octet in ten fits by chance where many are tried: that is not enough for a short length
                        // somewhere in a header.
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

    /// Whether some header between `start` and the text could say a length of at least `length` octets.
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

/// What is wrong with how a message is delimited.
package enum FramingFault: Sendable, Hashable {
    /// The length of the header does not lead to the end of the text: what it says, and what the text takes.
    case length(said: Int, found: Int)
    /// So many octets before it begin no message.
    case skipped(Int)
    /// The message before it lacks what ends the others.
    case unended(String)
}
