import WeirEngine
import WeirPackets

/// The aggregation header of an AV1 payload (RTP Payload Format For AV1 §4.4), and the types of its OBU elements.
package struct AV1Payload: Sendable, Hashable {
    /// Whether the first element continues one of the previous packet (Z).
    package let continuesUnit: Bool
    /// Whether the last element continues in the next packet (Y).
    package let isContinued: Bool
    /// Whether a coded video sequence begins here (N): a key frame.
    package let startsSequence: Bool
    /// The number of elements (W), 1 to 3; 0 if each element has a length field.
    package let elementCount: UInt8
    /// Types of the OBUs that begin here, as a bit set.
    package private(set) var types: UInt16 = 0
    /// Whether there are elements, and their number and lengths fit the payload.
    package private(set) var addsUp = true

    /// Parses the header, or returns nil if the payload is empty.
    package init?(_ bytes: RawSpan) {
        guard let header = bytes.byte(at: 0) else { return nil }
        continuesUnit = header & 0x80 != 0
        isContinued = header & 0x40 != 0
        elementCount = header >> 4 & 3
        startsSequence = header & 0x08 != 0
        var elements = AV1Elements(bytes)
        var isFirst = true
        while let range = elements.next(bytes) {
            if !(isFirst && continuesUnit), let first = bytes.byte(at: range.lowerBound), first & 0x80 == 0 {
                types |= 1 << UInt16(first >> 3 & 0x0F)
            }
            isFirst = false
        }
        addsUp = elements.addsUp && !isFirst
    }
}

/// Iterates over the OBU elements of a payload: each has a LEB128 length, except the last one if the header gives their
/// number.
struct AV1Elements {
    private var offset = 1
    private var left: Int
    private let isCounted: Bool
    /// Whether all lengths so far fit the payload and all announced elements were found.
    private(set) var addsUp = true

    init(_ bytes: RawSpan) {
        let count = Int((bytes.byte(at: 0) ?? 0) >> 4 & 3)
        isCounted = count > 0
        left = isCounted ? count : 64
    }

    mutating func next(_ bytes: RawSpan) -> Range<Int>? {
        guard left > 0, offset < bytes.byteCount else {
            if isCounted, left > 0 { addsUp = false }
            return nil
        }
        left &-= 1
        if isCounted, left == 0 {
            defer { offset = bytes.byteCount }
            return offset..<bytes.byteCount
        }
        var length = 0
        var shift = 0
        while true {
            guard let octet = bytes.byte(at: offset), shift < 35 else {
                addsUp = false
                return nil
            }
            offset &+= 1
            length |= Int(octet & 0x7F) << shift
            if octet & 0x80 == 0 { break }
            shift &+= 7
        }
        guard length <= bytes.byteCount &- offset else {
            addsUp = false
            return nil
        }
        defer { offset &+= length }
        return offset..<offset &+ length
    }
}

extension AV1Payload {
    /// The members of `payload` in reports.
    var fields: [Field] {
        let list = (0..<16).filter { types & 1 << UInt16($0) != 0 }
        return [
            Field("format", .string("AV1")), Field("continuesUnit", .bool(continuesUnit)),
            Field("isContinued", .bool(isContinued)), Field("keyframe", .bool(startsSequence)),
            Field("obuTypes", .array(list.map { .integer($0) })),
        ]
    }
}
