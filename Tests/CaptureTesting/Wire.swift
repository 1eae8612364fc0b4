import WeirPackets

/// Builds IPv4 packets between a client and a server, for captures of link type raw.
package struct Wire: Sendable {
    /// The client's address.
    package static let client: [UInt8] = [192, 0, 2, 1]
    /// The server's address.
    package static let server: [UInt8] = [192, 0, 2, 2]
    /// The client's port.
    package static let clientPort: UInt16 = 40000

    /// The packets so far, with their times in nanoseconds.
    package private(set) var packets: [(octets: [UInt8], nanoseconds: Int64)] = []
    /// The port that the client connects to.
    package var serverPort: UInt16 = 554
    /// Seconds since the start of the conversation.
    package var seconds = 0.0
    /// The client's port. Each port is a separate connection with its own state.
    package var port = Wire.clientPort
    private var numbers: [UInt16: (client: UInt32, server: UInt32)] = [:]
    /// The next sequence numbers of the connection.
    private var next: (client: UInt32, server: UInt32) {
        get { numbers[port] ?? (1000, 5000) }
        set { numbers[port] = newValue }
    }
    private var identification: UInt16 = 0
    /// The receive windows of the two sides.
    private var windows: (client: UInt16, server: UInt16) = (8192, 8192)

    private static let fin: UInt8 = 0x01
    private static let syn: UInt8 = 0x02
    private static let reset: UInt8 = 0x04
    private static let push: UInt8 = 0x18
    private static let acknowledge: UInt8 = 0x10

    /// Creates an empty capture.
    package init() {}

    /// Adds the TCP handshake.
    package mutating func connect() {
        segment(fromClient: true, Self.syn, [], acknowledges: false)
        segment(fromClient: false, Self.syn | Self.acknowledge, [])
        segment(fromClient: true, Self.acknowledge, [])
    }

    /// Adds a segment of the connection.
    package mutating func send(fromClient: Bool, _ octets: [UInt8]) {
        var rest = octets[...]
        while !rest.isEmpty {
            segment(fromClient: fromClient, Self.push, Array(rest.prefix(1400)))
            rest = rest.dropFirst(1400)
        }
    }

    /// Adds an acknowledgment with this receive window.
    package mutating func offer(fromClient: Bool, window: UInt16) {
        if fromClient { windows.client = window } else { windows.server = window }
        segment(fromClient: fromClient, Self.acknowledge, [])
    }

    /// Skips octets that are missing from the capture; the other side acknowledges them.
    package mutating func lose(fromClient: Bool, octets: Int) {
        if fromClient { next.client &+= UInt32(octets) } else { next.server &+= UInt32(octets) }
    }

    /// Closes the connection, one side first.
    package mutating func close(fromClient: Bool = true) {
        segment(fromClient: fromClient, Self.fin | Self.acknowledge, [])
        segment(fromClient: !fromClient, Self.fin | Self.acknowledge, [])
        segment(fromClient: fromClient, Self.acknowledge, [])
    }

    /// Resets the connection.
    package mutating func recordReset(fromClient: Bool = true) {
        segment(fromClient: fromClient, Self.reset | Self.acknowledge, [])
    }

    /// Adds a datagram between ports of the client and the server.
    package mutating func datagram(fromClient: Bool, clientPort: UInt16, serverPort: UInt16, _ payload: [UInt8]) {
        let source = fromClient ? clientPort : serverPort
        let destination = fromClient ? serverPort : clientPort
        packet(fromClient: fromClient, 17, udp(source, destination, payload))
    }

    /// Adds a datagram between any two endpoints, written `192.0.2.1:5000`; does nothing if they cannot be parsed.
    package mutating func datagram(from source: String, to destination: String, _ payload: [UInt8]) {
        guard let source = Self.endpoint(source), let destination = Self.endpoint(destination) else { return }
        let octets = udp(source.port, destination.port, payload)
        packet(ip(source.address + destination.address, 17, length: 20 + octets.count) + octets)
    }

    private static func endpoint(_ text: String) -> (address: [UInt8], port: UInt16)? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { return nil }
        let address = parts[0].split(separator: ".").compactMap { UInt8($0) }
        return address.count == 4 ? (address, port) : nil
    }

    private func udp(_ source: UInt16, _ destination: UInt16, _ payload: [UInt8]) -> [UInt8] {
        big(source) + big(destination) + big(UInt16(8 + payload.count)) + [0, 0] + payload
    }

    /// Adds an ICMP port unreachable of the client's host for `clientPort`.
    package mutating func unreachable(clientPort: UInt16, serverPort: UInt16) {
        let udp = big(serverPort) + big(clientPort) + big(UInt16(20)) + [0, 0]
        let quoted = ip(fromClient: false, 17, length: 20 + 20) + udp
        packet(fromClient: true, 1, [3, 3, 0, 0, 0, 0, 0, 0] + quoted)
    }

    private mutating func segment(fromClient: Bool, _ flags: UInt8, _ payload: [UInt8], acknowledges: Bool = true) {
        let source = fromClient ? port : serverPort
        let destination = fromClient ? serverPort : port
        let number = fromClient ? next.client : next.server
        let acknowledged = acknowledges ? (fromClient ? next.server : next.client) : 0
        let header =
            big(source) + big(destination) + big(number) + big(acknowledged) + [0x50, flags]
            + big(fromClient ? windows.client : windows.server) + [0, 0, 0, 0]
        packet(fromClient: fromClient, 6, header + payload)
        let used = UInt32(payload.count) &+ (flags & (Self.syn | Self.fin) != 0 ? 1 : 0)
        if fromClient { next.client &+= used } else { next.server &+= used }
    }

    private mutating func packet(fromClient: Bool, _ number: UInt8, _ payload: [UInt8]) {
        packet(ip(fromClient: fromClient, number, length: 20 + payload.count) + payload)
    }

    private mutating func packet(_ octets: [UInt8]) {
        packets.append((octets, Int64(seconds * 1_000_000_000)))
        seconds += 0.001
    }

    private mutating func ip(fromClient: Bool, _ number: UInt8, length: Int) -> [UInt8] {
        ip(fromClient ? Self.client + Self.server : Self.server + Self.client, number, length: length)
    }

    private mutating func ip(_ addresses: [UInt8], _ number: UInt8, length: Int) -> [UInt8] {
        identification &+= 1
        return [0x45, 0] + big(UInt16(length)) + big(identification) + [0, 0, 64, number, 0, 0] + addresses
    }

    private func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
