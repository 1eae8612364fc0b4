/// The key of a flow: both endpoints in canonical order, the transport protocol, and the tunnel or tag context.
///
/// Both directions have the same key. It consists of integers, so that comparing keys is cheap.
public struct FlowKey: Hashable, Sendable {
    private let firstHigh: UInt64
    private let firstLow: UInt64
    private let secondHigh: UInt64
    private let secondLow: UInt64
    /// First port, second port (16 bits each), context (32 bits), most significant first.
    private let portsAndContext: UInt64
    /// Bit 0: UDP. Bit 1: the first address is IPv4. Bit 2: the second address is IPv4.
    private let kind: UInt8

    /// Returns the key of a packet's flow, and whether the packet's source is the first endpoint of the key.
    ///
    /// `context` separates conversations with equal endpoints in different tunnels; 0 outside tunnels.
    @inline(__always)
    static func canonical(
        source: Endpoint,
        destination: Endpoint,
        transport: TransportProtocol,
        context: UInt32
    ) -> (key: FlowKey, sourceIsFirst: Bool) {
        let sourceIsFirst = isOrdered(source, destination)
        let key =
            sourceIsFirst
            ? FlowKey(source, destination, transport, context) : FlowKey(destination, source, transport, context)
        return (key, sourceIsFirst)
    }

    @inline(__always)
    private init(_ first: Endpoint, _ second: Endpoint, _ transport: TransportProtocol, _ context: UInt32) {
        firstHigh = first.address.high
        firstLow = first.address.low
        secondHigh = second.address.high
        secondLow = second.address.low
        portsAndContext = UInt64(first.port) << 48 | UInt64(second.port) << 32 | UInt64(context)
        kind =
            (transport == .udp ? 1 : 0) | (first.address.isIPv4 ? 2 : 0) | (second.address.isIPv4 ? 4 : 0)
    }

    @inline(__always)
    private static func isOrdered(_ left: Endpoint, _ right: Endpoint) -> Bool {
        if left.address.low != right.address.low { return left.address.low < right.address.low }
        if left.address.high != right.address.high { return left.address.high < right.address.high }
        return left.port <= right.port
    }

    /// The first endpoint in canonical order, which is independent of client and server.
    public var first: Endpoint {
        endpoint(firstHigh, firstLow, isIPv4: kind & 2 != 0, port: UInt16(truncatingIfNeeded: portsAndContext >> 48))
    }

    /// The second endpoint in canonical order.
    public var second: Endpoint {
        endpoint(secondHigh, secondLow, isIPv4: kind & 4 != 0, port: UInt16(truncatingIfNeeded: portsAndContext >> 32))
    }

    /// The transport protocol.
    public var transport: TransportProtocol { kind & 1 == 0 ? .tcp : .udp }

    /// The tunnel or tag context; 0 if there is none.
    public var context: UInt32 { UInt32(truncatingIfNeeded: portsAndContext) }

    private func endpoint(_ high: UInt64, _ low: UInt64, isIPv4: Bool, port: UInt16) -> Endpoint {
        let address =
            isIPv4
            ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : IPAddress(ipv6High: high, low: low)
        return Endpoint(address: address, port: port)
    }

    /// Returns a keyed hash, unpredictable without `seed`: full-width multiplications, folded.
    @inline(__always)
    func hash(seed: UInt64) -> UInt32 {
        var hash = fold(firstLow ^ seed, secondLow ^ 0x9E37_79B9_7F4A_7C15)
        if kind & 6 != 6 {
            hash = fold(hash ^ firstHigh, secondHigh ^ seed ^ 0xC2B2_AE3D_27D4_EB4F)
        }
        hash = fold(hash ^ portsAndContext ^ UInt64(kind), seed ^ 0x1656_67B1_9E37_79F9)
        return UInt32(truncatingIfNeeded: hash)
    }
}

/// Returns the 128-bit product of two words, folded to 64 bits.
@inline(__always)
func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
