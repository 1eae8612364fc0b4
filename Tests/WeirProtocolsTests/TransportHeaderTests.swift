import Testing
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct TransportHeaderTests {
    @Test func answerOfTheCamera() {
        let spec = TransportSpec(
            "RTP/AVP/UDP;unicast;destination=192.168.0.110;source=192.168.0.102;client_port=12849-12850;"
                + "server_port=30040-30041;mode=PLAY;")
        #expect(spec.identifier == "RTP/AVP/UDP")
        #expect(spec.isUnicast)
        #expect(spec.destination == "192.168.0.110")
        #expect(spec.source == "192.168.0.102")
        #expect(spec.clientPort == 12849...12850)
        #expect(spec.serverPort == 30040...30041)
        #expect(spec.modes == ["PLAY"])
        #expect(spec.oddities == [.emptyParameter, .modeUnquoted])
    }

    @Test func listInOrderOfPreference() {
        // The example of RFC 2326 §12.39.
        let specs = TransportSpec.list(
            "RTP/AVP;multicast;ttl=127;mode=\"PLAY\", RTP/AVP;unicast;client_port=3456-3457;mode=\"PLAY,RECORD\"")
        #expect(specs.map(\.isMulticast) == [true, false])
        #expect(specs.map(\.ttl) == [127, nil])
        #expect(specs.last?.modes == ["PLAY", "RECORD"])
        #expect(specs.last?.isRecord == true)
        #expect(specs.allSatisfy { $0.oddities.isEmpty && $0.lowerTransport == .udp })
    }

    @Test func versionTwoAddresses() {
        // The example of RFC 7826 §18.54, folded as in the RFC.
        let spec = TransportSpec(
            "RTP/AVP;unicast;dest_addr=\"192.0.2.5:3456\"/ \"192.0.2.5:3457\";src_addr=\"[2001:db8::1]:6256\"/\":6257\""
                + ";ssrc=1EDBED22/00000001;RTCP-mux;setup=active;connection=new")
        #expect(
            spec.destinationAddresses == [.init(host: "192.0.2.5", port: 3456), .init(host: "192.0.2.5", port: 3457)])
        #expect(spec.sourceAddresses == [.init(host: "2001:db8::1", port: 6256), .init(host: nil, port: 6257)])
        #expect(spec.ssrcs == [0x1EDB_ED22, 1])
        #expect(spec.rtcpMux)
        #expect(spec.setup == "active")
        #expect(spec.connection == "new")
    }

    static let sources: [(String, UInt32?, TransportSpec.Oddities)] = [
        ("RTP/AVP;ssrc= 12345678", UInt32(0x1234_5678), .blankInParameter),
        ("RTP/AVP;ssrc=1234567", 0x123_4567, .ssrcDigits), ("RTP/AVP;ssrc=4D5D5627", 0x4D5D_5627, []),
        ("RTP/AVP;ssrc=123456789", nil, .ssrcDigits), ("RTP/AVP;ssrc=xyz", nil, .ssrcDigits),
    ]

    @Test(arguments: sources)
    func ssrc(_ text: String, _ value: UInt32?, _ oddities: TransportSpec.Oddities) {
        #expect(TransportSpec(text).ssrc == value)
        #expect(TransportSpec(text).oddities == oddities)
    }

    static let odd: [(String, TransportSpec.Oddities)] = [
        ("RTP/AVP;client_port=70000-70001", TransportSpec.Oddities.number),
        ("RTP/AVP;client_port=5001-5000", .reversedRange), ("RTP/AVP;interleaved=256", .number),
        ("RTP/AVP;unicast;multicast", .bothDeliveries), ("RTP;unicast", .identifier), ("", .identifier),
        ("RTP/AVP;ttl=a", .number), ("RTP/AVP;unicast;unicast", .repeatedParameter),
        ("RTP/AVP;;unicast", .emptyParameter),
    ]

    @Test(arguments: odd)
    func departures(_ text: String, _ oddity: TransportSpec.Oddities) {
        #expect(TransportSpec(text).oddities == oddity)
    }

    @Test func interleavedAndUnknown() {
        let spec = TransportSpec("rtp/avp/tcp;interleaved=2-3;x-quality=high;destination")
        #expect(spec.lowerTransport == .tcp)
        #expect(spec.interleaved == 2...3)
        #expect(spec.delivery == nil)
        #expect(spec.destination == nil)
        #expect(spec.unknownParameters == ["x-quality"])
    }
}
