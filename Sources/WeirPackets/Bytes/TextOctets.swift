// The UTF-8 octets of texts. Iterating over the UTF-8 view of a string takes 31 instructions an octet, over a span 5.

extension String {
    /// Calls a function with the UTF-8 octets of the text, in place where the system can.
    @inlinable @inline(__always)
    package func withOctets<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if #available(macOS 26, *) { return body(utf8Span.span) }
        return body(Array(utf8).span)
    }

    /// Whether the text has an octet of a kind.
    @inlinable @inline(__always)
    package func hasOctet(_ isKind: (UInt8) -> Bool) -> Bool {
        withOctets { octets in
            for index in octets.indices where isKind(octets[index]) { return true }
            return false
        }
    }

    /// Whether the text has an octet.
    @inlinable
    package func hasOctet(_ octet: UInt8) -> Bool { hasOctet { $0 == octet } }

    /// Whether all octets of the text are of a kind.
    @inlinable @inline(__always)
    package func hasOnly(_ isKind: (UInt8) -> Bool) -> Bool { !hasOctet { !isKind($0) } }

    /// Whether the text consists of ASCII octets.
    package var isASCII: Bool { hasOnly { $0 < 0x80 } }
}

/// A set of ASCII octets.
package struct OctetSet: Sendable {
    private var bits: (UInt64, UInt64) = (0, 0)

    /// Creates the set of the octets in a text, which are below 128.
    package init(_ members: String) {
        for octet in members.utf8 {
            let bit: UInt64 = 1 << UInt64(octet & 63)
            if octet < 64 { bits.0 |= bit } else if octet < 128 { bits.1 |= bit }
        }
    }

    /// Whether it has an octet.
    @inline(__always)
    package func contains(_ octet: UInt8) -> Bool {
        let half = octet < 64 ? bits.0 : octet < 128 ? bits.1 : 0
        return half >> UInt64(octet & 63) & 1 != 0
    }
}
