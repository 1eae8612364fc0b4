import WeirEngine
import WeirPackets

/// Finds where a JSON object or list ends, without reading it: by its brackets, outside of strings.
///
/// It remembers how far it has looked, so that a text that comes in many pieces is looked through once.
package struct JSONExtent: Sendable {
    /// What was found.
    package enum Answer: Sendable, Equatable {
        /// The octet behind the last bracket.
        case end(Int)
        /// The end has not come yet.
        case needMore
        /// No object and no list, or one that no brackets can end.
        case none
    }

    /// Octets looked at, from the opening bracket on.
    private var looked = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Begins at an opening bracket.
    package init() {}

    /// Octets that were looked at.
    package var octets: Int { looked }

    /// Whether nothing was looked at yet.
    package var isFresh: Bool { looked == 0 }

    /// The end of the text that begins at `start`: each time the same text is asked for, more of it may be there.
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
