/// The state of decoding a frame: the bounds of the current layer, and the fields of the outer layers.
struct Descent {
    /// The offset of the next header.
    var offset: Int
    /// The end of the captured octets of this layer; never past the bytes.
    var end: Int
    /// The end of the layer on the wire, according to the innermost known length; at least `offset`.
    var wireEnd: Int
    /// Whether octets of the frame or of the reassembled datagram were not captured.
    var isCut: Bool
    /// The number of further encapsulations allowed.
    var encapsulationsLeft: Int
    var protocols = ProtocolStack()
    /// The tunnel context, as in `TransportUnit`.
    var context: UInt32 = 0
    /// A hash of where the frame was captured.
    var origin: UInt64
    /// The number of fragments of the datagram being decoded; 0 in the frame's own bytes.
    var fragments: UInt16 = 0
    /// Whether the pseudo-header address differs from the one in the IP header (RFC 8200 §8.1).
    var hasForeignPseudoHeader = false

    // The innermost IP header.
    var source = IPAddress(ipv4: 0)
    var destination = IPAddress(ipv4: 0)
    var identification: UInt32 = 0
    var hopLimit: UInt8 = 0
    var trafficClass: UInt8 = 0

    /// Creates the state at the first octet of a frame.
    @inline(__always)
    init(info: FrameInfo, byteCount: Int, limits: Limits) {
        offset = 0
        end = byteCount
        wireEnd = max(byteCount, info.originalLength)
        isCut = byteCount < info.originalLength
        encapsulationsLeft = limits.encapsulations
        origin = UInt64(truncatingIfNeeded: info.interface)
    }

    /// Creates the state at the first octet of a frame of known layers; the IP header determines the bounds.
    @inline(__always)
    init(straight info: FrameInfo) {
        (offset, end, wireEnd) = (0, 0, 0)
        isCut = false
        encapsulationsLeft = 0
        origin = UInt64(truncatingIfNeeded: info.interface)
    }

    /// The captured octets from the next header on.
    @inline(__always)
    var available: Int { end &- offset }

    /// Records a layer. Returns false if there are too many.
    @inline(__always)
    mutating func enter(_ layer: ProtocolStack.Layer) -> Bool {
        protocols.push(layer)
        encapsulationsLeft &-= 1
        return encapsulationsLeft >= 0
    }

    /// Sets the end of the layer according to its length field: octets after it are padding, absent ones are missing.
    @inline(__always)
    mutating func limit(to newEnd: Int) {
        wireEnd = newEnd
        end = min(end, newEnd)
    }

    /// Mixes a tunnel identifier into the context.
    mutating func addContext(_ kind: ProtocolStack.Layer, _ identifier: UInt64) {
        let mixed = mix(UInt64(context) << 8 | UInt64(kind.rawValue), identifier)
        context = max(1, UInt32(truncatingIfNeeded: mixed ^ mixed >> 32))
    }

    /// Mixes a value into the hash of where the frame was captured.
    @inline(__always)
    mutating func addOrigin(_ value: UInt64) {
        origin = mix(origin, value)
    }

    /// Returns the result for a header of `needed` octets that is not available: truncated by the capture, or
    /// malformed.
    @inline(never)
    func shortage(of needed: Int, layer: String) -> Decoded {
        let error = DecodeError(
            .tooShort(needed: needed, available: max(0, available)),
            layer: layer,
            offset: offset
        )
        return isCut && offset &+ needed <= wireEnd ? .cut(error) : .failed(error)
    }

    /// Returns the result for a header that violates its specification.
    @inline(never)
    func malformed(_ reason: String, layer: String) -> Decoded {
        .failed(DecodeError(.malformed(reason), layer: layer, offset: offset))
    }
}
