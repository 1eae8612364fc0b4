/// An IP address and a port.
public struct Endpoint: Hashable, Sendable {
    /// The IP address.
    public var address: IPAddress
    /// The TCP or UDP port.
    public var port: UInt16

    /// Creates an endpoint.
    @inline(__always)
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Hashes the endpoint: one with an IPv4 address, of 32 bits, in a single number.
    public func hash(into hasher: inout Hasher) {
        guard !address.isIPv4 else { return hasher.combine(address.low << 16 | UInt64(port)) }
        hasher.combine(address)
        hasher.combine(port)
    }
}

/// The direction of a packet in a flow. The client is the side that initiated it, or is assumed to have.
public enum Direction: UInt8, Sendable, Hashable, CaseIterable {
    /// From the client to the server.
    case clientToServer
    /// From the server to the client.
    case serverToClient

    /// The opposite direction.
    @inline(__always)
    public var opposite: Self { self == .clientToServer ? .serverToClient : .clientToServer }
}

/// A transport protocol.
public enum TransportProtocol: UInt8, Sendable, Hashable {
    /// Transmission Control Protocol (RFC 9293).
    case tcp
    /// User Datagram Protocol (RFC 768).
    case udp
}
