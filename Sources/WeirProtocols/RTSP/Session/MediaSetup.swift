import WeirEngine
import WeirPackets

/// One medium of an RTSP session: the transport offered in SETUP, and the transport granted.
struct MediaSetup: Sendable {
    /// The URI of the SETUP request.
    var uri: String
    /// The index of the medium in the session description, if its control URI matches.
    var mediumIndex: Int?
    /// The transports offered by the client, in order of preference.
    var offered: [SharedValue<TransportSpec>]
    /// The transport granted by the server.
    var granted: SharedValue<TransportSpec>
    /// The event of the request.
    var requestEvent: Int
    /// The frame of the request.
    var requestFrame: Int
    /// The event of the response.
    var answerEvent: Int
    /// The frame of the response.
    var answerFrame: Int
    /// The time of the response.
    var answerTime: Timestamp
    /// Whether the client sends the media (RECORD).
    var isRecording: Bool
    /// The interleaved channels of this medium, RTP first.
    var channels: ClosedRange<Int>?
    /// The RTP endpoints over UDP: destinations for playback, sources for recording.
    var rtpEndpoints: [Endpoint] = []
    /// The RTCP endpoints, unless RTCP uses the RTP port.
    var rtcpEndpoints: [Endpoint] = []
    /// The SRTP keys in KeyMgmt of the request and the response (RFC 4567 §4.2): secrets.
    var keys: [SRTPKey] = []
    /// Whether the session that it belongs to has ended, and another one has begun on the connection.
    var isReleased = false
    /// Number of media packets received.
    var mediaPackets = 0
    /// The client's RTP endpoint and the time, if an ICMP error was received for it.
    var unreachable: (endpoint: Endpoint, time: Timestamp)?
    /// Whether a negotiated client port was used: no NAT on the path has replaced it.
    var isMatched = false
    /// Whether receiver reports for the media were captured, which prove that it arrived.
    var isReported = false
    /// The sequence number that RTP-Info announced for the next packet, until that packet arrives.
    var announcedSequence: UInt16?
    /// Whether the media is RTP; `x-pn-tng`, `RAW` and other protocols can be set up, too. `MP2T/RTP/UDP` is a
    /// transport stream in RTP.
    var isRTP: Bool { Self.isRTP(granted.protocolName, profile: granted.profile) }

    static func isRTP(_ protocolName: String, profile: String) -> Bool {
        protocolName.isEmpty || ASCII.equalIgnoringCase(protocolName, "RTP") || ASCII.equalIgnoringCase(profile, "RTP")
    }
    /// Whether the media is an MPEG transport stream without RTP: `MP2T/H2221/UDP`, where H2221 is ITU-T H.222.1.
    var isTransportStream: Bool {
        !isRTP && ASCII.equalIgnoringCase(granted.protocolName, "MP2T")
    }
    /// The first client port granted and the one requested, if the response has another than the request.
    var unrequestedPort: (granted: Int, requested: Int)? {
        guard let granted = granted.clientPort?.lowerBound,
            let requested = offered.first(where: { $0.clientPort != nil })?.clientPort?.lowerBound,
            !offered.contains(where: { $0.clientPort?.lowerBound == granted })
        else { return nil }
        return (Int(granted), Int(requested))
    }
    /// The dissector of the media, or nil if there is none.
    var dissector: String? { isRTP ? "rtp" : isTransportStream ? "mpegts" : nil }
}

extension MediaSetup {
    /// Returns the claims for the granted transport.
    ///
    /// RFC 2326 §12.39: `client_port` and `server_port` are the RTP and RTCP ports of both sides, `destination` and
    /// `source` their addresses if they differ from those of the control connection; `port` is the pair of a multicast
    /// session. RFC 7826 §18.54 uses `dest_addr` and `src_addr` for all of them.
    ///
    /// - Parameters:   - index: the number of the setup.   - group: the multicast address of the medium in the
    ///   description.
    mutating func announce(as index: Int, client: Endpoint, server: Endpoint, group: String?) -> [Claim] {
        guard let dissector, granted.lowerTransport != .tcp, granted.interleaved == nil else { return [] }
        let destination = (granted.destination ?? granted.destinationAddresses.first?.host).flatMap { IPAddress($0) }
        let source = (granted.source ?? granted.sourceAddresses.first?.host).flatMap { IPAddress($0) }
        let asked = offered.lazy.compactMap { $0.receivingPorts }.first
        if granted.isMulticast || destination?.isMulticast == true {
            let group = destination ?? group.flatMap { IPAddress($0) }
            guard let group, group.isMulticast,
                let ports = granted.port.map({ MediaPorts($0) }) ?? granted.receivingPorts ?? asked
            else { return [] }
            return announce(
                as: index, dissector, local: [group], localPorts: ports, remote: [], remotePorts: nil)
        }
        // A destination other than the client's address may be a mistake or the address behind a NAT: expect both.
        let clients = [client.address] + (destination.map { $0 == client.address ? [] : [$0] } ?? [])
        let servers = [server.address] + (source.map { $0 == server.address ? [] : [$0] } ?? [])
        var claims: [Claim] = []
        if let ports = granted.receivingPorts ?? asked {
            claims = announce(
                as: index, dissector, local: clients, localPorts: ports, remote: servers,
                remotePorts: granted.sendingPorts)
        }
        if let ssrc = granted.ssrc, !isRecording {
            let from = servers.last ?? server.address
            claims.append(Claim(MediaStreams.announced(ssrc, from: from, to: client.address), purpose: index))
        }
        guard let sending = granted.sendingPorts else { return claims }
        for port in [sending.rtp, sending.rtcp] {
            guard let port else { continue }
            let end = Endpoint(address: servers.last ?? server.address, port: port)
            let because = Text("expect.setup", .integer(requestFrame), .endpoint(end))
            claims.append(
                Claim(
                    .openEnd(end), peer: Endpoint(address: client.address, port: 0), protocolName: dissector,
                    purpose: index, because: because, since: answerTime))
        }
        return claims
    }

    private mutating func announce(
        as index: Int, _ dissector: String, local: [IPAddress], localPorts: MediaPorts, remote: [IPAddress],
        remotePorts: MediaPorts?
    ) -> [Claim] {
        var claims: [Claim] = []
        claims.reserveCapacity(8)
        rtpEndpoints = local.map { Endpoint(address: $0, port: localPorts.rtp) }
        if let port = localPorts.otherRTCP { rtcpEndpoints = local.map { Endpoint(address: $0, port: port) } }
        let peerPorts = (rtp: remotePorts?.rtp, rtcp: remotePorts.map { $0.rtcp ?? $0.rtp })
        for (endpoints, peerPort) in [(rtpEndpoints, peerPorts.rtp), (rtcpEndpoints, peerPorts.rtcp)] {
            for endpoint in endpoints {
                let because = Text("expect.setup", .integer(requestFrame), .endpoint(endpoint))
                func expect(_ peer: Endpoint?) {
                    claims.append(
                        Claim(
                            .endpoint(endpoint), peer: peer, protocolName: dissector, purpose: index, because: because))
                }
                if let peerPort {
                    for address in remote { expect(Endpoint(address: address, port: peerPort)) }
                } else {
                    expect(nil)
                }
            }
        }
        return claims
    }

    /// Adds the observed client endpoint of a flow; `server` is the server's endpoint as announced.
    mutating func recordObserved(_ client: Endpoint, server: Endpoint) {
        let isRTCP = granted.sendingPorts.map { $0.rtp != server.port && $0.rtcp == server.port } ?? false
        if isRTCP {
            if rtcpEndpoints.count < Self.mostEndpoints { rtcpEndpoints.append(client) }
        } else if rtpEndpoints.count < Self.mostEndpoints {
            rtpEndpoints.append(client)
        }
    }

    private static let mostEndpoints = 8

    /// The server's RTCP port, if it differs from its RTP port.
    @inline(__always)
    private var serverReportPort: UInt16? {
        if let ports = granted.serverPort { return ports.lowerBound == ports.upperBound ? nil : ports.upperBound }
        return granted.sendingPorts?.otherRTCP
    }

    /// Returns whether RTCP was negotiated to go to an endpoint, or may be, since its port belongs to the server.
    /// Inlined, since a call would copy the setup.
    @inline(__always)
    func takesReports(at end: Endpoint) -> Bool { rtcpEndpoints.contains(end) || end.port == serverReportPort }

    /// Returns the negotiated RTCP endpoint on a host, if the client's ports are known not to be translated.
    func reportEnd(at host: IPAddress, server: IPAddress) -> Endpoint? {
        guard isMatched, !granted.isMulticast else { return nil }
        if host == server { return serverReportPort.map { Endpoint(address: host, port: $0) } }
        return rtcpEndpoints.first { $0.address == host }
    }
}

/// The ports of RTP and RTCP.
struct MediaPorts: Sendable, Equatable {
    /// The port of RTP.
    let rtp: UInt16
    /// The port of RTCP, which may be that of RTP; nil if none is announced.
    let rtcp: UInt16?

    init(_ range: ClosedRange<UInt16>) { (rtp, rtcp) = (range.lowerBound, range.upperBound) }

    init?(_ addresses: [TransportSpec.Address]) {
        guard let first = addresses.firstIndex(where: { $0.port != nil }), let port = addresses[first].port else {
            return nil
        }
        rtp = port
        rtcp = addresses[(first + 1)...].first { $0.port != nil }?.port
    }

    /// The port of RTCP, if it is another than that of RTP.
    var otherRTCP: UInt16? { rtcp == rtp ? nil : rtcp }
}

extension TransportSpec {
    /// The ports of the receiving side.
    var receivingPorts: MediaPorts? { clientPort.map { MediaPorts($0) } ?? MediaPorts(destinationAddresses) }
    /// The ports of the sending side.
    var sendingPorts: MediaPorts? { serverPort.map { MediaPorts($0) } ?? MediaPorts(sourceAddresses) }
}
