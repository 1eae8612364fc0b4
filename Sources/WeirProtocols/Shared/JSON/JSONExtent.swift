import WeirEngine
import WeirPackets

/// Finds the end of a JSON object or array without parsing it: by its brackets outside of strings.
///
/// Keeps its position, so that text arriving in many pieces is scanned once.
package struct JSONExtent: Sendable {
    /// The result of a scan.
    package enum Answer: Sendable, Equatable {
        /// The end: the offset after the last bracket.
        case end(Int)
        /// The end has not arrived yet.
        case needMore
        /// Not an object or array, or one whose brackets cannot match.
        case none
    }

    /// Number of bytes scanned from the opening bracket on.
    private var looked = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Creates a scanner at an opening bracket.
    package init() {}

    /// Number of bytes scanned.
    package var octets: Int { looked }

    /// Whether nothing has been scanned yet.
    package var isFresh: Bool { looked == 0 }

    /// Returns the end of the text at `start`; repeated calls for the same text may have more bytes.
    package mutating func end(_ bytes: RawSpan, from start: Int) -> Answer {
        while let octet = bytes.byte(at: start &+ looked) {
            if looked == 0, octet != UInt8(ascii: "{"), octet != UInt8(ascii: "[") { return .none }
            looked &+= 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if octet == 0x5C {
                    isEscaped = true
                } else if octet == ASCII.quote {
                    isInString = false
                }
                continue
            }
            switch octet {
            case ASCII.quote: isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth &-= 1
                if depth == 0 { return .end(start &+ looked) }
            case 0..<0x20 where !JSONReader.isBlank(octet): return .none
            default: break
            }
        }
        return .needMore
    }
}
