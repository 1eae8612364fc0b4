import WeirEngine
import WeirPackets

/// The decoded value of a header extension element, by its `a=extmap` URI (RFC 8285 §5).
struct RTPExtensionValue {
    /// The last part of the URI, such as `abs-send-time` or `mid`.
    let name: String
    /// The decoded fields; empty if the extension is not supported.
    let fields: [Field]

    /// Parses the data of an element by its URI.
    init(uri: String, data: [UInt8]) {
        name = Self.name(of: uri)
        fields = Self.fields(name, data)
    }

    /// Returns the part after the last slash or colon, without a draft number.
    private static func name(of uri: String) -> String {
        let part = uri.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? uri
        return part.contains("transport-wide-cc") ? "transport-wide-cc" : part
    }

    private static func number(_ data: ArraySlice<UInt8>) -> UInt64 {
        data.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func fields(_ name: String, _ data: [UInt8]) -> [Field] {
        let value = number(data[...])
        switch (name, data.count) {
        case ("ssrc-audio-level", 1...):
            // The highest bit is voice activity, the others the level in -dBov (RFC 6464).
            return [Field("levelDbov", .integer(-Int(data[0] & 0x7F))), Field("voice", .bool(data[0] & 0x80 != 0))]
        case ("abs-send-time", 3):
            // 6 bits of seconds, 18 bits of fraction.
            return [Field("seconds", .double(Double(value) / 262_144))]
        case ("transport-wide-cc", 2...):
            return [Field("sequence", .integer(Int(number(data[..<2]))))]
        case ("mid", 1...), ("rtp-stream-id", 1...), ("repaired-rtp-stream-id", 1...):
            return [Field("text", .string(String(decoding: data, as: UTF8.self)))]
        case ("video-orientation", 1):
            // Clockwise rotation in steps of 90°, mirroring, back camera (3GPP TS 26.114).
            return [
                Field("degrees", .integer(Int(data[0] & 3) * 90)), Field("mirrored", .bool(data[0] & 4 != 0)),
                Field("backCamera", .bool(data[0] & 8 != 0)),
            ]
        case ("playout-delay", 3):
            // Two 12-bit values in units of 10 ms.
            return [
                Field("minMs", .integer(Int(value >> 12) * 10)), Field("maxMs", .integer(Int(value & 0xFFF) * 10)),
            ]
        case ("abs-capture-time", 8...):
            return [Field("time", .string(NTPTime(number(data[..<8])).description))]
        case ("toffset", 3):
            // A signed difference in ticks (RFC 5450).
            return [Field("ticks", .integer(value & 0x80_0000 != 0 ? Int(value) - 0x100_0000 : Int(value)))]
        default: return []
        }
    }
}
