import WeirEngine

/// Examples of each rule, violated and met.
enum WebRTCExamples {
    static let all: [String: RuleExample] = [
        "ICE-USERNAME": RuleExample(
            broken: "sender a=ice-ufrag:9b3w; USERNAME 9b3w:8hhY", kept: "sender a=ice-ufrag:9b3w; USERNAME 8hhY:9b3w"),
        "ICE-ATTRS": RuleExample(
            broken: "check 8hhY:9b3w, ICE-CONTROLLED, USE-CANDIDATE",
            kept: "check 8hhY:9b3w, PRIORITY, ICE-CONTROLLING, USE-CANDIDATE"),
        "ICE-ROLE": RuleExample(
            broken: "the offerer's check has ICE-CONTROLLED", kept: "the offerer's check has ICE-CONTROLLING"),
        "ICE-PRIORITY": RuleExample(
            broken: "a=candidate:1 1 udp 1 192.0.2.1 5000 typ host",
            kept: "a=candidate:1 1 udp 2130706431 192.0.2.1 5000 typ host"),
        "ICE-XMAPPED": RuleExample(
            broken: "XOR-MAPPED-ADDRESS 198.51.100.7:4000; a=candidate … 198.51.100.8 4000 typ srflx",
            kept: "XOR-MAPPED-ADDRESS 198.51.100.7:4000; a=candidate … 198.51.100.7 4000 typ srflx"),
        "ICE-PAIR": RuleExample(
            broken: "12 checks of both agents, none answered", kept: "check with USE-CANDIDATE, Binding Success"),
        "ICE-CONSENT": RuleExample(
            broken: "last check answered at 10 s, media until 60 s",
            kept: "a check answered every 5 s, media until 60 s"),
        "DTLS-ROLE": RuleExample(
            broken: "answer a=setup:passive; ClientHello from the answerer",
            kept: "answer a=setup:passive; ClientHello from the offerer"),
        "DTLS-FP": RuleExample(
            broken: "a=fingerprint:sha-256 00:11:…; certificate AB:CD:…",
            kept: "a=fingerprint:sha-256 AB:CD:…; certificate AB:CD:…"),
        "DTLS-SRTP-EXT": RuleExample(
            broken: "ClientHello use_srtp 1; ServerHello use_srtp 7",
            kept: "ClientHello use_srtp 7, 1; ServerHello use_srtp 7"),
        "DTLS-FIRST": RuleExample(
            broken: "ClientHello, then Binding Success", kept: "Binding Success, then ClientHello"),
        "SRTP-DEMUX": RuleExample(
            broken: "a datagram that begins with 0xC8", kept: "datagrams that begin with 0x80 to 0xBF"),
        "DTLS-SIZE": RuleExample(
            broken: "Certificate in a datagram of 1,460 octets", kept: "Certificate in two datagrams of 800 octets"),
        "RTP-MID": RuleExample(
            broken: "a=group:BUNDLE 0 1, a=extmap:1 urn:…:sdes:mid; RTP without element 1",
            kept: "a=group:BUNDLE 0 1, a=extmap:1 urn:…:sdes:mid; RTP with element 1: 0"),
        "SRTP-ROC": RuleExample(broken: "seq 100, then 40000", kept: "seq 100, then 101"),
    ]
}
