import WeirEngine
package import WeirPackets

/// One medium of an RTSP session: what SETUP asked for, and what was granted.
package struct MediaSetup: Sendable {
    /// The URI of the SETUP request.
    package var uri: String
    /// Index of the medium in the session's description, if its control URI matches.
    package var mediumIndex: Int?
    /// What the client offered, in order of preference.
    package var offered: [TransportSpec]
    /// What the server granted.
    package var granted: TransportSpec
    /// The event of the request.
    package var requestEvent: Int
    /// The frame of the request.
    package var requestFrame: Int
    /// The event of the answer.
    package var answerEvent: Int
    /// The frame of the answer.
    package var answerFrame: Int
    /// When the answer came.
    package var answerTime: Timestamp
    /// Whether the client sends the media (RECORD).
    package var isRecording: Bool
    /// The channels that interleaved packets of this medium use, RTP first.
    package var channels: ClosedRange<Int>?
    /// Where RTP goes to (when it is played) or comes from (when it is recorded), if over UDP.
    package var rtpEndpoints: [Endpoint] = []
    /// The same for RTCP, if not on the port of RTP.
    package var rtcpEndpoints: [Endpoint] = []
    /// Media that came on it, in packets.
    package internal(set) var mediaPackets = 0
    /// An ICMP error answered a packet that was sent to the client's RTP port.
    package internal(set) var unreachable: (endpoint: Endpoint, time: Timestamp)?
    /// Packets went over one of the client's ports that were agreed on: no router on the way has given it others.
    package internal(set) var isMet = false
    /// Receivers reported on its media: it reached them.
    package internal(set) var isReported = false
    /// The sequence number that RTP-Info announced for the next packet, not yet met.
    package internal(set) var announcedSequence: UInt16?
    /// Whether the media is RTP; other protocols can be set up, too, such as `x-pn-tng` and `RAW`.
    package var isRTP: Bool {
        granted.protocolName.isEmpty || ASCII.equalIgnoringCase(granted.protocolName, "RTP")
    }
}

extension MediaSetup {
    /// The claims that follow from the granted transport.
    ///
    /// RFC 2326 §12.39: `client_port` and `server_port` are the RTP and RTCP ports of the two sides, `destination` and
    /// `source` their addresses where these differ from those of the control connection; `port` is the pair of a
    /// multicast session. RFC 7826 §18.54 has `dest_addr` and `src_addr` for all of them.
    ///
    /// - Parameters:
    ///   - index: the number of the setup.
    ///   - group: the multicast address that the description names for the medium.
    mutating func announce(as index: Int, client: Endpoint, server: Endpoint, group: String?) -> [Claim] {
        guard isRTP, granted.lowerTransport != .tcp, granted.interleaved == nil else { return [] }
        let destination = (granted.destination ?? granted.destinationAddresses.first?.host).flatMap { IPAddress($0) }
        let source = (granted.source ?? granted.sourceAddresses.first?.host).flatMap { IPAddress($0) }
        let asked = offered.lazy.compactMap { $0.receivingPorts }.first
        if granted.isMulticast || destination?.isMulticast == true {
            let group = destination ?? group.flatMap { IPAddress($0) }
            guard let group, group.isMulticast,
                let ports = granted.port.map({ [$0.lowerBound, $0.upperBound] }) ?? granted.receivingPorts ?? asked
            else { return [] }
            return announce(as: index, local: [group], localPorts: ports, remote: [], remotePorts: nil)
        }
        // A destination that is not the client's own address may be a mistake or a NAT's view: expect both.
        let clients = [client.address] + (destination.map { $0 == client.address ? [] : [$0] } ?? [])
        let servers = [server.address] + (source.map { $0 == server.address ? [] : [$0] } ?? [])
        var claims: [Claim] = []
        if let ports = granted.receivingPorts ?? asked {
            claims = announce(
                as: index, local: clients, localPorts: ports, remote: servers, remotePorts: granted.sendingPorts)
        }
        if let ssrc = granted.ssrc, !isRecording {
            let from = servers.last ?? server.address
            claims.append(Claim(MediaStreams.announced(ssrc, from: from, to: client.address), purpose: index))
        }
        for (place, port) in (granted.sendingPorts ?? []).enumerated() {
            let end = Endpoint(address: servers.last ?? server.address, port: port)
            let because = Text("expect.setup", .integer(requestFrame), .string(end.description))
            claims.append(
                Claim(
                    .openEnd(end), peer: Endpoint(address: client.address, port: 0), protocolName: "rtp",
                    purpose: index, because: because, since: answerTime))
            if place == 1 { break }
        }
        return claims
    }

    private mutating func announce(
        as index: Int, local: [IPAddress], localPorts: [UInt16], remote: [IPAddress], remotePorts: [UInt16]?
    ) -> [Claim] {
        var claims: [Claim] = []
        for (place, port) in localPorts.prefix(2).enumerated() {
            if place == 1, port == localPorts[0] { break }
            let peerPort = remotePorts.flatMap { place < $0.count ? $0[place] : $0.last }
            for address in local {
                let endpoint = Endpoint(address: address, port: port)
                if place == 0 { rtpEndpoints.append(endpoint) } else { rtcpEndpoints.append(endpoint) }
                let because = Text("expect.setup", .integer(requestFrame), .string(endpoint.description))
                let peers: [Endpoint?] =
                    peerPort.map { port in remote.map { Endpoint(address: $0, port: port) } } ?? [nil]
                for peer in peers {
                    claims.append(
                        Claim(
                            .endpoint(endpoint), peer: peer, protocolName: "rtp", purpose: index, because: because))
                }
            }
        }
        return claims
    }

    /// The client's end of a flow turned out to be another than was said: `server` is the end that was.
    mutating func learn(_ client: Endpoint, server: Endpoint) {
        let isRTCP = granted.sendingPorts.map { $0.count > 1 && $0[0] != server.port && $0[1] == server.port } ?? false
        if isRTCP {
            if rtcpEndpoints.count < Self.mostEndpoints { rtcpEndpoints.append(client) }
        } else if rtpEndpoints.count < Self.mostEndpoints {
            rtpEndpoints.append(client)
        }
    }

    private static let mostEndpoints = 8
}

extension TransportSpec {
    /// The ports for RTP and RTCP of the side that asks for the media.
    var receivingPorts: [UInt16]? {
        clientPort.map { [$0.lowerBound, $0.upperBound] } ?? Self.ports(destinationAddresses)
    }

    /// Those of the side that has the media.
    var sendingPorts: [UInt16]? { serverPort.map { [$0.lowerBound, $0.upperBound] } ?? Self.ports(sourceAddresses) }

    private static func ports(_ addresses: [Address]) -> [UInt16]? {
        let ports = addresses.compactMap(\.port)
        return ports.isEmpty ? nil : ports
    }
}
