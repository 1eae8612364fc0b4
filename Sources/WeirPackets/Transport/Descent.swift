/// Where decoding of a frame stands on its way down: the bounds of the layer, and what the layers above it told.
struct Descent {
    /// The next header begins here.
    var offset: Int
    /// What was captured of this layer ends here; never past the bytes.
    var end: Int
    /// The layer ended here on the wire, or so the innermost length says that is known; at least `offset`.
    var wireEnd: Int
    /// Whether octets of the frame or of the reassembled datagram are not in the capture.
    var isCut: Bool
    /// Encapsulations that may still follow.
    var encapsulationsLeft: Int
    var protocols = ProtocolStack()
    /// As in `TransportUnit`.
    var context: UInt32 = 0
    /// Hash of what tells where the frame was seen.
    var origin: UInt64
    /// Fragments of the datagram being decoded; 0 while in the frame's own bytes.
    var fragments: UInt16 = 0
    /// Whether the address in the pseudo-header is another than the one in the IP header (RFC 8200 §8.1).
    var hasForeignPseudoHeader = false

    // The innermost IP header.
    var source = IPAddress(ipv4: 0)
    var destination = IPAddress(ipv4: 0)
    var identification: UInt32 = 0
    var hopLimit: UInt8 = 0
    var trafficClass: UInt8 = 0

    /// Begins at the first octet of a frame.
    @inline(__always)
    init(info: FrameInfo, byteCount: Int, limits: Limits) {
        offset = 0
        end = byteCount
        wireEnd = max(byteCount, info.originalLength)
        isCut = byteCount < info.originalLength
        encapsulationsLeft = limits.encapsulations
        origin = UInt64(truncatingIfNeeded: info.interface)
    }

    /// Captured octets from the next header on.
    @inline(__always)
    var available: Int { end &- offset }

    /// Notes a layer; false when there are too many.
    @inline(__always)
    mutating func enter(_ layer: ProtocolStack.Layer) -> Bool {
        protocols.push(layer)
        encapsulationsLeft &-= 1
        return encapsulationsLeft >= 0
    }

    /// Sets the layer's end to what its length field says: what lies behind is padding, what is not there is missing.
    @inline(__always)
    mutating func limit(to newEnd: Int) {
        wireEnd = newEnd
        end = min(end, newEnd)
    }

    /// Mixes the identity of a tunnel into the context.
    mutating func addContext(_ kind: ProtocolStack.Layer, _ identifier: UInt64) {
        let mixed = mix(UInt64(context) << 8 | UInt64(kind.rawValue), identifier)
        context = max(1, UInt32(truncatingIfNeeded: mixed ^ mixed >> 32))
    }

    /// Mixes something that tells where the frame was seen.
    @inline(__always)
    mutating func addOrigin(_ value: UInt64) {
        origin = mix(origin, value)
    }

    /// The answer when a header of `needed` octets is not there: the capture's fault, or the sender's.
    @inline(never)
    func shortage(of needed: Int, layer: String) -> Decoded {
        let error = DecodeError(
            .tooShort(needed: needed, available: max(0, available)),
            layer: layer,
            offset: offset
        )
        return isCut && offset &+ needed <= wireEnd ? .cut(error) : .failed(error)
    }

    /// The answer when a header contradicts its specification.
    @inline(never)
    func malformed(_ reason: String, layer: String) -> Decoded {
        .failed(DecodeError(.malformed(reason), layer: layer, offset: offset))
    }
}
