extension SDPCase {
    static let negotiated = [
        SDPCase("SDP-MID", "each one", .offer(bundle("", "")), expect: []),
        SDPCase("SDP-MID", "no groups", .presented(video), expect: nil),
        SDPCase(
            "SDP-MID", "an unknown member", .offer(bundle("", "", group: "0 1 2")), expect: ["SDP-MID.unknown error"]),
        SDPCase(
            "SDP-MID", "twice", .offer(head + "m=audio 9 RTP/AVP 0\na=mid:0\nm=audio 9 RTP/AVP 8\na=mid:0"),
            expect: ["SDP-MID.repeated error"]),
        SDPCase(
            "SDP-MID", "a medium without",
            .offer(head + "a=group:LS 0\nm=audio 9 RTP/AVP 0\na=mid:0\nm=audio 9 RTP/AVP 8"),
            expect: ["SDP-MID.missing error"]),
        SDPCase(
            "SDP-MID", "a rejected medium without",
            .answer(head + "a=group:LS 0\nm=audio 9 RTP/AVP 0\na=mid:0\nm=audio 0 RTP/AVP 8"),
            expect: ["SDP-MID.missing warning"]),
        SDPCase(
            "SDP-MID", "a rejected member", .answer(head + "a=group:LS 0\nm=audio 0 RTP/AVP 0\na=mid:0"),
            expect: ["SDP-MID.rejected error"]),
        SDPCase("SDP-BUNDLE", "fits", .offer(bundle("a=rtcp-mux\n" + mid, "a=rtcp-mux\n" + mid)), expect: []),
        SDPCase("SDP-BUNDLE", "no group", .offer(video), expect: nil),
        SDPCase(
            "SDP-BUNDLE", "protocols", .offer(bundle("a=rtcp-mux\n" + mid, mid, proto: "RTP/AVP")),
            expect: ["SDP-BUNDLE.proto error"]),
        SDPCase("SDP-BUNDLE", "no rtcp-mux", .offer(bundle(mid, mid)), expect: ["SDP-BUNDLE.rtcpMux error"]),
        SDPCase(
            "SDP-BUNDLE", "no MID extension", .offer(bundle("a=rtcp-mux\n", mid)),
            expect: ["SDP-BUNDLE.midExtension warning"]),
        SDPCase(
            "SDP-BUNDLE", "in two groups",
            .offer(bundle("a=rtcp-mux\n" + mid, mid).replacingFirst("t=0 0", "t=0 0\na=group:BUNDLE 1")),
            expect: ["SDP-BUNDLE.rtcpMux error", "SDP-BUNDLE.twice error"]),
        SDPCase(
            "SDP-BUNDLE", "tagged bundle-only", .offer(bundle("a=rtcp-mux\na=bundle-only\n" + mid, mid)),
            expect: ["SDP-BUNDLE.taggedBundleOnly error"]),
        SDPCase(
            "SDP-BUNDLE", "96 twice",
            .offer(
                head + "a=group:BUNDLE 0 1\nm=video 9 RTP/AVPF 96\na=mid:0\na=rtcp-mux\na=rtpmap:96 VP8/90000\n" + mid
                    + "m=video 9 RTP/AVPF 96\na=mid:1\na=rtpmap:96 H264/90000\n" + mid + "a=sendrecv"),
            expect: ["SDP-BUNDLE.payloadType error"]),
        SDPCase(
            "SDP-BUNDLE", "extension 2 twice",
            .offer(bundle("a=rtcp-mux\na=extmap:2 urn:a\n" + mid, "a=extmap:2 urn:b\n" + mid)),
            expect: ["SDP-BUNDLE.extension error"]),
        SDPCase(
            "SDP-RTCPMUX", "offered", .offer(dtls + "a=rtcp-mux"), .answer(dtls + "a=rtcp-mux"), expect: []),
        SDPCase("SDP-RTCPMUX", "offer not seen", .answer(dtls + "a=rtcp-mux"), expect: nil),
        SDPCase(
            "SDP-RTCPMUX", "not offered", .offer(dtls + "a=sendrecv"), .answer(dtls + "a=rtcp-mux"),
            expect: ["SDP-RTCPMUX.notOffered error"]),
        SDPCase(
            "SDP-RTCPMUX", "for the session", .offer("v=0\na=rtcp-mux"), expect: ["SDP-RTCPMUX.session error"]),
        SDPCase("SDP-EXTMAP", "1 and 14", .offer(dtls + "a=extmap:1 urn:a\na=extmap:14/sendonly urn:b"), expect: []),
        SDPCase("SDP-EXTMAP", "none", .presented(video), expect: nil),
        SDPCase("SDP-EXTMAP", "alternatives", .offer(dtls + "a=extmap:4096 urn:a\na=extmap:4096 urn:b"), expect: []),
        SDPCase("SDP-EXTMAP", "copied into the answer", .answer(dtls + "a=extmap:4096 urn:a"), expect: []),
        SDPCase(
            "SDP-EXTMAP", "alternatives of none", .presented(video + "\na=extmap:4096 urn:a"),
            expect: ["SDP-EXTMAP.offered warning"]),
        SDPCase(
            "SDP-EXTMAP", "0 and 257", .offer(dtls + "a=extmap:0 urn:a\na=extmap:257 urn:b"),
            expect: ["SDP-EXTMAP.range error", "SDP-EXTMAP.range error"]),
        SDPCase(
            "SDP-EXTMAP", "twice", .offer(dtls + "a=extmap:1 urn:a\na=extmap:1 urn:b"),
            expect: ["SDP-EXTMAP.repeated error"]),
        SDPCase(
            "SDP-EXTMAP", "both levels", .offer(head + "a=extmap:1 urn:a\nm=audio 9 RTP/AVP 0\na=extmap:2 urn:b"),
            expect: ["SDP-EXTMAP.levels error"]),
        SDPCase("SDP-EXTMAP", "no number", .offer(dtls + "a=extmap:x urn:a"), expect: ["SDP-EXTMAP.form error"]),
        SDPCase(
            "SDP-EXTMAP", "no direction", .offer(dtls + "a=extmap:1/both urn:a"), expect: ["SDP-EXTMAP.direction error"]
        ),
        SDPCase(
            "SDP-EXTMAP", "against the stream", .offer(dtls + "a=recvonly\na=extmap:1/sendonly urn:a"),
            expect: ["SDP-EXTMAP.against error"]),
    ]

    static let keys = [
        SDPCase("SDP-ICE-CRED", "both", .offer(dtls + "a=ice-ufrag:8hhY\n" + pwd), expect: []),
        SDPCase(
            "SDP-ICE-CRED", "for the session", .offer(head + "a=ice-ufrag:8hhY\n\(pwd)\nm=audio 9 RTP/AVP 0"),
            expect: []),
        SDPCase("SDP-ICE-CRED", "no ICE", .presented(video), expect: nil),
        SDPCase(
            "SDP-ICE-CRED", "no password", .offer(dtls + "a=ice-ufrag:8hhY"), expect: ["SDP-ICE-CRED.missing error"]),
        SDPCase(
            "SDP-ICE-CRED", "short", .offer(dtls + "a=ice-ufrag:8hh\na=ice-pwd:short"),
            expect: ["SDP-ICE-CRED.ufragLength error", "SDP-ICE-CRED.pwdLength error"]),
        SDPCase(
            "SDP-ICE-CRED", "33 characters",
            .offer(dtls + "a=ice-ufrag:" + String(repeating: "a", count: 33) + "\n" + pwd),
            expect: ["SDP-ICE-CRED.ufragLength error"]),
        SDPCase(
            "SDP-ICE-CRED", "characters", .offer(dtls + "a=ice-ufrag:8h-Y\n\(pwd)_"),
            expect: ["SDP-ICE-CRED.ufragCharacters error", "SDP-ICE-CRED.pwdCharacters error"]),
        SDPCase(
            "SDP-ICE-CRED", "one name, two passwords",
            .offer(dtls + "a=ice-ufrag:8hhY\n\(pwd)\nm=video 9 RTP/AVP 31\na=ice-ufrag:8hhY\n\(pwd)x"),
            expect: ["SDP-ICE-CRED.passwords error"]),
        SDPCase(
            "SDP-ICE-CAND", "kinds",
            .offer(
                dtls + "a=candidate:1 1 udp 2130706431 192.0.2.1 50000 typ host generation 0\n"
                    + "a=candidate:2 1 UDP 1694498815 192.0.2.3 45664 typ srflx raddr 0.0.0.0 rport 9"), expect: []),
        SDPCase("SDP-ICE-CAND", "none", .offer(dtls + "a=sendrecv"), expect: nil),
        SDPCase(
            "SDP-ICE-CAND", "cut", .offer(dtls + "a=candidate:1 1 udp 2130706431"), expect: ["SDP-ICE-CAND.form error"]),
        SDPCase(
            "SDP-ICE-CAND", "no raddr", .offer(dtls + "a=candidate:2 1 UDP 1694498815 192.0.2.3 45664 typ srflx"),
            expect: ["SDP-ICE-CAND.unrelated error"]),
        SDPCase(
            "SDP-ICE-CAND", "raddr of a host",
            .offer(dtls + "a=candidate:2 1 UDP 1 192.0.2.3 45664 typ host raddr 192.0.2.1 rport 1"),
            expect: ["SDP-ICE-CAND.hostRelated error"]),
        SDPCase(
            "SDP-ICE-CAND", "hidden, port 0",
            .offer(dtls + "a=candidate:2 1 UDP 1 192.0.2.3 45664 typ srflx raddr 0.0.0.0 rport 0"),
            expect: ["SDP-ICE-CAND.hidden note Q-WEBRTC"]),
        SDPCase(
            "SDP-ICE-CAND", "mDNS", .offer(dtls + "a=candidate:2 1 udp 1 4e712009-4a6c.local 45664 typ host"),
            expect: ["SDP-ICE-CAND.mdns note Q-WEBRTC"]),
        SDPCase(
            "SDP-ICE-CAND", "a name", .offer(dtls + "a=candidate:2 1 udp 1 host.example.com 45664 typ host"),
            expect: ["SDP-ICE-CAND.name error"]),
        SDPCase(
            "SDP-ICE-CAND", "no address", .offer(dtls + "a=candidate:2 1 udp 1 300.1.1.1 45664 typ host"),
            expect: ["SDP-ICE-CAND.address error"]),
        SDPCase(
            "SDP-ICE-CAND", "numbers", .offer(dtls + "a=candidate:a-b 0 udp 0 192.0.2.3 45664 typ host"),
            expect: ["SDP-ICE-CAND.foundation error", "SDP-ICE-CAND.component error", "SDP-ICE-CAND.priority error"]),
        SDPCase("SDP-FINGERPRINT", "SHA-256", .offer(dtls + "a=fingerprint:sha-256 \(sha256)"), expect: []),
        SDPCase("SDP-FINGERPRINT", "no DTLS", .presented(video), expect: nil),
        SDPCase("SDP-FINGERPRINT", "none", .offer(dtls + "a=sendrecv"), expect: ["SDP-FINGERPRINT.missing error"]),
        SDPCase(
            "SDP-FINGERPRINT", "short", .offer(dtls + "a=fingerprint:sha-256 4A:4B"),
            expect: ["SDP-FINGERPRINT.length error"]),
        SDPCase(
            "SDP-FINGERPRINT", "lower case", .offer(dtls + "a=fingerprint:sha-256 \(sha256.lowercased())"),
            expect: ["SDP-FINGERPRINT.lowerCase warning"]),
        SDPCase(
            "SDP-FINGERPRINT", "no colons", .offer(dtls + "a=fingerprint:sha-256 4A4B"),
            expect: ["SDP-FINGERPRINT.form error"]),
        SDPCase(
            "SDP-FINGERPRINT", "a hash of its own", .offer(dtls + "a=fingerprint:crc 4A"),
            expect: ["SDP-FINGERPRINT.hash error"]),
        SDPCase(
            "SDP-FINGERPRINT", "MD5",
            .offer(dtls + "a=fingerprint:md5 " + Array(repeating: "00", count: 16).joined(separator: ":")),
            expect: ["SDP-FINGERPRINT.weak error"]),
        SDPCase("SDP-SETUP", "offer", .offer(dtls + "a=setup:actpass"), expect: []),
        SDPCase("SDP-SETUP", "answer", .answer(dtls + "a=setup:active"), expect: []),
        SDPCase("SDP-SETUP", "no DTLS", .offer(video + "\na=setup:passive"), expect: nil),
        SDPCase(
            "SDP-SETUP", "actpass in an answer", .answer(dtls + "a=setup:actpass"), expect: ["SDP-SETUP.answer error"]),
        SDPCase(
            "SDP-SETUP", "passive in an offer", .offer(dtls + "a=setup:passive"), expect: ["SDP-SETUP.offer error"]),
        SDPCase(
            "SDP-SETUP", "active in an offer, as WHIP may", .offer(dtls + "a=setup:active"),
            expect: ["SDP-SETUP.offer warning"]),
        SDPCase("SDP-SETUP", "holdconn", .answer(dtls + "a=setup:holdconn"), expect: ["SDP-SETUP.holdconn error"]),
        SDPCase("SDP-SETUP", "another word", .answer(dtls + "a=setup:both"), expect: ["SDP-SETUP.unknown error"]),
        SDPCase("SDP-SETUP", "none", .answer(dtls + "a=sendrecv"), expect: ["SDP-SETUP.missing error"]),
        SDPCase(
            "SDP-CRYPTO", "whole", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(key30)|2^20|1:4"),
            expect: []),
        SDPCase("SDP-CRYPTO", "none", .offer(dtls + "a=sendrecv"), expect: nil),
        SDPCase(
            "SDP-CRYPTO", "for the session", .offer("v=0\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\(key30)"),
            expect: ["SDP-CRYPTO.session error"]),
        SDPCase("SDP-CRYPTO", "cut", .offer(dtls + "a=crypto:1"), expect: ["SDP-CRYPTO.form error"]),
        SDPCase(
            "SDP-CRYPTO", "short key", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA"),
            expect: ["SDP-CRYPTO.length error"]),
        SDPCase(
            "SDP-CRYPTO", "not base64", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:%%%%"),
            expect: ["SDP-CRYPTO.base64 error"]),
        SDPCase(
            "SDP-CRYPTO", "another suite", .offer(dtls + "a=crypto:1 ROT13 inline:AAAA"),
            expect: ["SDP-CRYPTO.suite warning"]),
        SDPCase(
            "SDP-CRYPTO", "another method", .offer(dtls + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 url:AAAA"),
            expect: ["SDP-CRYPTO.method error"]),
        SDPCase(
            "SDP-CRYPTO", "tags",
            .offer(
                dtls
                    + "a=crypto:01 AES_CM_128_HMAC_SHA1_80 inline:\(key30)\na=crypto:01 AES_CM_128_HMAC_SHA1_32 inline:\(key30)"
            ),
            expect: ["SDP-CRYPTO.tag error", "SDP-CRYPTO.repeated error"]),
    ]
}
