import WeirEngine
import WeirPackets

/// What an element of a header extension means, as `a=extmap` names it (RFC 8285 §5).
struct RTPExtensionValue {
    /// The last part of the URI: `abs-send-time`, `mid`.
    let name: String
    /// What the data says; empty when it is not read.
    let fields: [Field]

    /// Reads an element's data by its URI.
    init(uri: String, data: [UInt8]) {
        name = Self.name(of: uri)
        fields = Self.fields(name, data)
    }

    /// The part behind the last slash or colon, without a number that only counts drafts.
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
            // The highest bit says whether there is a voice, the others how many dB below overload (RFC 6464).
            return [Field("levelDbov", .integer(-Int(data[0] & 0x7F))), Field("voice", .bool(data[0] & 0x80 != 0))]
        case ("abs-send-time", 3):
            // Seconds in 6 bits, fractions in 18.
            return [Field("seconds", .double(Double(value) / 262_144))]
        case ("transport-wide-cc", 2...):
            return [Field("sequence", .integer(Int(number(data[..<2]))))]
        case ("mid", 1...), ("rtp-stream-id", 1...), ("repaired-rtp-stream-id", 1...):
            return [Field("text", .string(String(decoding: data, as: UTF8.self)))]
        case ("video-orientation", 1):
            // Turned clockwise by quarters, mirrored, seen from behind (3GPP TS 26.114).
            return [
                Field("degrees", .integer(Int(data[0] & 3) * 90)), Field("mirrored", .bool(data[0] & 4 != 0)),
                Field("backCamera", .bool(data[0] & 8 != 0)),
            ]
        case ("playout-delay", 3):
            // Twice 12 bits in steps of 10 ms.
            return [
                Field("minMs", .integer(Int(value >> 12) * 10)), Field("maxMs", .integer(Int(value & 0xFFF) * 10)),
            ]
        case ("abs-capture-time", 8...):
            return [Field("time", .string(NTPTime(number(data[..<8])).description))]
        case ("toffset", 3):
            // A difference in ticks, with a sign (RFC 5450).
            return [Field("ticks", .integer(value & 0x80_0000 != 0 ? Int(value) - 0x100_0000 : Int(value)))]
        default: return []
        }
    }
}
