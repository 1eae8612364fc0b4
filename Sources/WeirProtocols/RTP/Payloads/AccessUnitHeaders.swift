import WeirEngine
import WeirPackets

/// The sizes in bits of the access unit header fields, from the parameters of `a=fmtp` (RFC 3640 §4.1).
package struct AccessUnitHeaderSizes: Sendable, Hashable {
    /// Bits of AU-size.
    package private(set) var size: UInt8 = 0
    /// Bits of AU-Index.
    package private(set) var index: UInt8 = 0
    /// Bits of AU-Index-delta.
    package private(set) var indexDelta: UInt8 = 0
    /// Bits of CTS-delta.
    package private(set) var compositionDelta: UInt8 = 0
    /// Bits of DTS-delta.
    package private(set) var decodingDelta: UInt8 = 0
    /// Whether the RAP-flag is present.
    package private(set) var randomAccess = false
    /// Bits of Stream-state.
    package private(set) var streamState: UInt8 = 0
    /// Octets of every access unit (`constantSize`); 0 if not constant.
    package private(set) var constantSize = 0

    /// Whether access units may be interleaved: `maxDisplacement` is present and not 0 (RFC 3640 §3.2.3.2, §4.1).
    package private(set) var allowsInterleaving = false

    /// Parses parameters such as `mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3`.
    package init(parameters: String) {
        for part in TextSyntax.split(parameters, at: ASCII.semicolon) {
            let (name, value) = TextSyntax.pair(Self.withoutSpaces(part))
            guard let value, let number = Int(value), number >= 0 else { continue }
            let bits = UInt8(min(number, 32))
            switch TextSyntax.lowercased(name) {
            case "sizelength": size = bits
            case "indexlength": index = bits
            case "indexdeltalength": indexDelta = bits
            case "ctsdeltalength": compositionDelta = bits
            case "dtsdeltalength": decodingDelta = bits
            case "randomaccessindication": randomAccess = number != 0
            case "streamstateindication": streamState = bits
            case "maxdisplacement": allowsInterleaving = number != 0
            case "constantsize": constantSize = min(number, 1 << 20)
            default: break
            }
        }
    }

    private static func withoutSpaces(_ text: String) -> String {
        guard text.utf8.contains(ASCII.space) else { return text }
        return String(decoding: text.utf8.filter { $0 != ASCII.space }, as: UTF8.self)
    }

    /// Whether a header has 16 bits, an AU-size and an AU-Index, as in AAC-hbr (RFC 3640 §3.3.6).
    var isUsual: Bool {
        size &+ index == 16 && size > 0 && compositionDelta | decodingDelta | streamState == 0 && !randomAccess
    }

    /// Whether the access unit header section is present; without fields it is empty (RFC 3640 §3.2.1).
    package var isPresent: Bool {
        size | index | indexDelta | compositionDelta | decodingDelta | streamState != 0 || randomAccess
    }
}

/// A summary of the access unit headers of MPEG-4 audio or video in an RTP payload (RFC 3640 §3.2.1).
package struct AccessUnitHeaders: Sendable, Hashable {
    /// Access units, or fragments of one, in the payload.
    package private(set) var count = 0
    /// The sum of the AU-sizes, in octets.
    package private(set) var announcedOctets = 0
    /// Octets after the headers.
    package private(set) var dataOctets = 0
    /// The first AU-Index.
    package private(set) var index: UInt32 = 0
    /// Whether an AU-Index-delta is not 0, which means interleaving.
    package private(set) var isInterleaved = false

    /// Whether the payload is a fragment of one access unit: the AU-size exceeds the data (RFC 3640 §3.2.1.1).
    package var isFragment: Bool { count == 1 && announcedOctets > dataOctets }
    /// Whether the sizes neither add up to the data nor indicate a fragment.
    package var disagrees: Bool { (hasSizes || announcedOctets > 0) && announcedOctets != dataOctets && !isFragment }
    /// Whether headers contain sizes, so that data without a header is an error.
    private var hasSizes = false

    /// Parses the headers, or returns nil if AU-headers-length exceeds the payload.
    package init?(_ bytes: RawSpan, _ sizes: AccessUnitHeaderSizes) {
        guard sizes.isPresent else {
            dataOctets = bytes.byteCount
            count = sizes.constantSize > 0 ? max(1, dataOctets / sizes.constantSize) : 1
            announcedOctets = sizes.constantSize > 0 ? count &* sizes.constantSize : 0
            return
        }
        hasSizes = sizes.size > 0 || sizes.constantSize > 0
        guard let length = bytes.uint16(at: 0) else { return nil }
        if sizes.isUsual, length == 16, let header = bytes.uint16(at: 2) {
            dataOctets = bytes.byteCount &- 4
            count = 1
            announcedOctets = Int(header) >> Int(sizes.index)
            index = UInt32(header) & (1 << UInt32(sizes.index) &- 1)
            return
        }
        let octets = (Int(length) &+ 7) / 8
        guard 2 &+ octets <= bytes.byteCount else { return nil }
        dataOctets = bytes.byteCount &- 2 &- octets
        var bits = BitReader(bytes.clamped(2, 2 &+ octets), bitCount: Int(length))
        while bits.remaining > 0 {
            let left = bits.remaining
            guard let size = bits.read(sizes.size) else { return nil }
            guard let number = bits.read(count == 0 ? sizes.index : sizes.indexDelta) else { return nil }
            if count == 0 { index = number } else if number != 0 { isInterleaved = true }
            guard Self.skip(sizes.compositionDelta, &bits), Self.skip(sizes.decodingDelta, &bits),
                bits.read((sizes.randomAccess ? 1 : 0)) != nil, bits.read(sizes.streamState) != nil
            else { return nil }
            // Only the first header may have an AU-Index, so parameters may make all others empty.
            guard bits.remaining < left else { return nil }
            count &+= 1
            announcedOctets &+= sizes.size > 0 ? Int(size) : sizes.constantSize
        }
    }

    /// Skips a field announced by a flag; returns false if it is truncated.
    @_lifetime(bits: copy bits)
    static func skip(_ size: UInt8, _ bits: inout BitReader) -> Bool {
        guard size > 0 else { return true }
        guard let flag = bits.read(1) else { return false }
        return flag == 0 || bits.read(size) != nil
    }

    /// The number and size of the access units, in short.
    package var wording: Wording {
        if isFragment { return "fragment of an access unit of \(announcedOctets, "octet", "octets")" }
        return "\(count, "access unit", "access units")"
    }

    /// The members of `payload` in reports.
    package var fields: [Field] {
        [
            Field("format", .string("mpeg4-generic")), Field("accessUnits", .integer(count)),
            Field("fragment", .bool(isFragment)),
        ]
    }
}
