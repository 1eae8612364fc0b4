public import WeirDissectors
public import WeirPackets

/// One medium of an RTSP session: what SETUP asked for, and what was granted.
public struct MediaSetup: Sendable {
    /// The URI of the SETUP request.
    public var uri: String
    /// Index of the medium in the session's description, if its control URI matches.
    public var mediumIndex: Int?
    /// What the client offered, in order of preference.
    public var offered: [TransportSpec]
    /// What the server granted.
    public var granted: TransportSpec
    /// The event of the request.
    public var requestEvent: Int
    /// The frame of the request.
    public var requestFrame: Int
    /// The event of the answer.
    public var answerEvent: Int
    /// The frame of the answer.
    public var answerFrame: Int
    /// Whether the client sends the media (RECORD).
    public var isRecording: Bool
    /// The channels that interleaved packets of this medium use, RTP first.
    public var channels: ClosedRange<Int>?
    /// Where RTP goes to (when it is played) or comes from (when it is recorded), if over UDP.
    public var rtpEndpoints: [Endpoint] = []
    /// The same for RTCP, if not on the port of RTP.
    public var rtcpEndpoints: [Endpoint] = []
    /// Media that came on it, in packets.
    public internal(set) var mediaPackets = 0
    /// An ICMP error answered a packet that was sent to the client's RTP port.
    public internal(set) var unreachable: Endpoint?
    /// The sequence number that RTP-Info announced for the next packet, not yet met.
    public internal(set) var announcedSequence: UInt16?
}

extension MediaSetup {
    /// The announcements that follow from the granted transport.
    ///
    /// RFC 2326 §12.39: `client_port` and `server_port` are the RTP and RTCP ports of the two sides, `destination` and
    /// `source` their addresses where these differ from those of the control connection; `port` is the pair of a
    /// multicast session.
    mutating func expectations(client: Endpoint, server: Endpoint) -> [Expectation] {
        guard granted.lowerTransport != .tcp, granted.interleaved == nil else { return [] }
        let destination = granted.destination.flatMap { IPAddress($0) }
        let source = granted.source.flatMap { IPAddress($0) }
        if granted.isMulticast || destination?.isMulticast == true {
            guard let group = destination, let ports = granted.port ?? granted.clientPort else { return [] }
            return announce(local: [group], localPorts: ports, remote: [], remotePorts: nil)
        }
        guard let clientPorts = granted.clientPort ?? offered.lazy.compactMap(\.clientPort).first else { return [] }
        // A destination that is not the client's own address may be a mistake or a NAT's view: expect both.
        let clients = [client.address] + (destination.map { $0 == client.address ? [] : [$0] } ?? [])
        let servers = [server.address] + (source.map { $0 == server.address ? [] : [$0] } ?? [])
        return announce(local: clients, localPorts: clientPorts, remote: servers, remotePorts: granted.serverPort)
    }

    private mutating func announce(
        local: [IPAddress], localPorts: ClosedRange<UInt16>, remote: [IPAddress], remotePorts: ClosedRange<UInt16>?
    ) -> [Expectation] {
        var announced: [Expectation] = []
        for (index, port) in [localPorts.lowerBound, localPorts.upperBound].enumerated() {
            if index == 1, localPorts.count == 1 { break }
            let peerPort = remotePorts.map { index == 0 ? $0.lowerBound : $0.upperBound }
            for address in local {
                let endpoint = Endpoint(address: address, port: port)
                if index == 0 { rtpEndpoints.append(endpoint) } else { rtcpEndpoints.append(endpoint) }
                let because = Text("expect.setup", .integer(requestFrame), .string(endpoint.description))
                let peers: [Endpoint?] =
                    peerPort.map { port in remote.map { Endpoint(address: $0, port: port) } } ?? [nil]
                for peer in peers {
                    announced.append(
                        Expectation(protocolName: "rtp", endpoint: endpoint, peer: peer, because: because))
                }
            }
        }
        return announced
    }
}
