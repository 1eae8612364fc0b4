package import WeirEngine

/// A WebSocket message (RFC 6455 §1.2): one or several data frames, or a control frame.
package struct WebSocketMessage: Message, Hashable {
    /// Protocol violations in the frames of a message.
    package struct Flaws: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// An unmasked frame of a client, or a masked one of a server (RFC 6455 §5.1).
        package static let masking = Self(rawValue: 1)
        /// A length encoding that is not minimal, or has its most significant bit set (RFC 6455 §5.2).
        package static let length = Self(rawValue: 2)
        /// A reserved bit that no extension uses (RFC 6455 §5.2).
        package static let reserved = Self(rawValue: 4)
        /// A reserved opcode (RFC 6455 §5.2).
        package static let opcode = Self(rawValue: 8)
        /// A control frame of more than 125 octets (RFC 6455 §5.5).
        package static let controlLength = Self(rawValue: 16)
        /// A fragmented control frame (RFC 6455 §5.5).
        package static let controlFragment = Self(rawValue: 32)
        /// A continuation frame without a message (RFC 6455 §5.4).
        package static let strayContinuation = Self(rawValue: 64)
        /// A new message before the end of the previous one (RFC 6455 §5.4).
        package static let interrupted = Self(rawValue: 128)
        /// Text that is not UTF-8 (RFC 6455 §8.1).
        package static let text = Self(rawValue: 256)
        /// Payload that cannot be decompressed (RFC 7692 §7.2.2).
        package static let compression = Self(rawValue: 512)
        /// A close frame with a payload of one octet (RFC 6455 §5.5.1).
        package static let closeLength = Self(rawValue: 1_024)
        /// A frame after a close frame of the same side (RFC 6455 §5.5.1).
        package static let afterClose = Self(rawValue: 2_048)
    }

    /// The opcode of the first frame.
    package var opcode: UInt8
    /// Whether the first frame is masked.
    package var isMasked: Bool
    /// The payload length, reassembled and decompressed; nil if it could not be decompressed, or was not buffered.
    package var length: Int?
    /// The payload length of all frames, as sent.
    package var wireLength: Int
    /// The number of frames.
    package var fragments = 1
    /// Whether it is compressed.
    package var isCompressed = false
    /// The status code of a close frame, if present.
    package var code: UInt16?
    /// The reason of a close frame, if present.
    package var reason: String?
    /// The protocol violations.
    package var flaws: Flaws = []
    /// The capture frame that contains its first octet, if it differs from that of the last.
    package var firstFrame: Int?

    /// The opcode, or nil if reserved.
    package var purpose: WebSocketFrame.Opcode? { WebSocketFrame.Opcode(rawValue: opcode) }

    /// The protocol name, `websocket`.
    package var protocolName: String { "websocket" }
    /// The kind of message: `message`, `ping`, `pong` or `close`.
    package var kind: String {
        switch purpose {
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        default: "message"
        }
    }

    /// Data messages are envelopes of a carried protocol.
    package var isEnvelope: Bool { kind == "message" }

    private var name: String {
        switch purpose {
        case .text: "text"
        case .binary: "binary"
        case .continuation: "continuation"
        case .ping: "ping"
        case .pong: "pong"
        case .close: "close"
        case nil: "opcode \(opcode)"
        }
    }

    /// Returns the kind of message, and its length.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        if purpose == .close {
            guard let code else { return "close, no status code" }
            let reason = reason.flatMap { $0.isEmpty ? nil : " \"\(secrets.apply(reason: $0))\"" } ?? ""
            return "close \(code)\(reason)"
        }
        var words = Wording(phrase: name)
        if let length {
            if length > 0 || purpose == .text || purpose == .binary { words += ", \(length, "octet", "octets")" }
        } else {
            words += ", \(wireLength, "octet", "octets") on the wire"
        }
        if isCompressed, length != nil { words += " (compressed to \(wireLength))" }
        if fragments > 1 { words += " in \(fragments) frames" }
        return words
    }

    /// An explanation of the step.
    package var note: Text? {
        switch purpose {
        case .text: Text("websocket.text")
        case .binary: Text("websocket.binary")
        case .ping: Text("websocket.ping")
        case .pong: Text("websocket.pong")
        case .close: code.map { Text(WebSocketCloseCode.note($0)) } ?? Text("websocket.close")
        case .continuation, nil: nil
        }
    }

    /// Returns the members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("opcode", Int(opcode))
        fields.add("masked", isMasked)
        fields.add("length", length)
        fields.add("wireLength", wireLength)
        fields.add("fragments", fragments)
        fields.add("compressed", isCompressed)
        fields.add("code", code.map { Int($0) })
        fields.add("reason", reason.map { secrets.apply(reason: $0) })
        return fields
    }

    /// The payload may be media: after the first ones, messages of a kind are counted.
    package var recurrence: String? { purpose == .close ? nil : "websocket.\(opcode)" }

    /// Returns the view that rules use.
    package func view(of event: Event) -> AnyObject? { WebSocketStep(self) }
}

/// Status codes of close frames (RFC 6455 §7.4).
enum WebSocketCloseCode {
    /// Whether a code is allowed in a frame (RFC 6455 §7.4.1, §7.4.2, and the registry of §11.7).
    static func isLegal(_ code: UInt16) -> Bool {
        switch code {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
        default: false
        }
    }

    /// Returns the key of the explanation of a code.
    static func note(_ code: UInt16) -> String {
        switch code {
        case 1_000: "websocket.close.normal"
        case 1_001: "websocket.close.leaving"
        case 1_002: "websocket.close.protocol"
        case 1_003: "websocket.close.data"
        case 1_007: "websocket.close.encoding"
        case 1_008: "websocket.close.policy"
        case 1_009: "websocket.close.tooBig"
        case 1_010: "websocket.close.extension"
        case 1_011: "websocket.close.unexpected"
        case 1_012, 1_013, 1_014: "websocket.close.service"
        case 3_000...3_999: "websocket.close.registered"
        case 4_000...4_999: "websocket.close.private"
        default: "websocket.close.unknown"
        }
    }
}
