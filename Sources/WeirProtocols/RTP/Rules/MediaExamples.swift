import WeirEngine

/// For each rule about packets, payloads and reports, an example that violates it and one that complies.
enum MediaExamples {
    static let all: [String: RuleExample] = [
        "RTP-VERSION": RuleExample(
            broken: "40 60 00 01 …: version 1",
            kept: "80 60 00 01 …: version 2"),
        "RTP-LENGTH": RuleExample(
            broken: "CC = 15 in a packet of 40 octets",
            kept: "CC = 0 in a packet of 40 octets"),
        "RTP-PADDING": RuleExample(
            broken: "P set, last octet 0",
            kept: "P set, last octet 4, three zeros before it"),
        "RTP-EXT-LEN": RuleExample(
            broken: "X set, BE DE 01 00 in a packet of 200 octets",
            kept: "X set, BE DE 00 01 and one word"),
        "RTP-EXT-BLOCK": RuleExample(
            broken: "BE DE 00 01 F0 00 00 00",
            kept: "BE DE 00 01 10 55 00 00"),
        "RTP-EXT-MAP": RuleExample(
            broken: "a=extmap:1 …, and elements with id 3",
            kept: "a=extmap:1 …, and elements with id 1"),
        "RTP-PT": RuleExample(
            broken: "m=video 0 RTP/AVP 96, and packets of payload type 97",
            kept: "m=video 0 RTP/AVP 96, and packets of payload type 96"),
        "RTP-PT-MUX": RuleExample(
            broken: "a=rtcp-mux, payload type 72",
            kept: "a=rtcp-mux, payload type 96"),
        "RTP-FRAGMENT": RuleExample(
            broken: "RTP of 3 000 octets in two IP fragments",
            kept: "RTP of 1 200 octets in one IP packet"),
        "RTP-SSRC-ANNOUNCED": RuleExample(
            broken: "Transport: …;ssrc=1F2E3D4C, and packets of SSRC 0x0badcafe",
            kept: "Transport: …;ssrc=1F2E3D4C, and packets of SSRC 0x1f2e3d4c"),
        "RTP-SSRC-CHANGE": RuleExample(
            broken: "seq 100 of SSRC 0x1f2e3d4c, seq 101 of SSRC 0x0badcafe",
            kept: "seq 100 and 101 of SSRC 0x1f2e3d4c"),
        "RTP-SSRC-COLLISION": RuleExample(
            broken: "both peers send as SSRC 0x1f2e3d4c",
            kept: "SSRC 0x1f2e3d4c and SSRC 0x0badcafe"),
        "RTP-TS-RATE": RuleExample(
            broken: "a=rtpmap:96 H264/90000, and timestamps that advance by 180 000 per second",
            kept: "a=rtpmap:96 H264/90000, and timestamps that advance by 90 000 per second"),
        "RTP-TS-BACK": RuleExample(
            broken: "timestamp 900000, then 9000",
            kept: "timestamp 900000, then 903600"),
        "RTP-TS-AU": RuleExample(
            broken: "FU-A start with timestamp 9000, FU-A end with timestamp 9001",
            kept: "FU-A start and FU-A end with timestamp 9000"),
        "RTP-MARKER": RuleExample(
            broken: "timestamps 9000, 9000, 12600: no marker on the second packet",
            kept: "timestamps 9000, 9000, 12600: the second packet has the marker"),
        "H264-MODE": RuleExample(
            broken: "packetization-mode=0, and FU-A packets",
            kept: "packetization-mode=1, and FU-A packets"),
        "H264-FU": RuleExample(
            broken: "7C C5: S and E in one fragment",
            kept: "7C 85, 7C 05, 7C 45"),
        "H264-FU-TYPE": RuleExample(
            broken: "7C 85, then 7C 01",
            kept: "7C 85, then 7C 05"),
        "H264-STAP": RuleExample(
            broken: "78 00 40 67 …: 64 octets announced, 20 present",
            kept: "78 00 14 67 …: 20 octets"),
        "H264-FBIT": RuleExample(
            broken: "E5 … instead of 65 …",
            kept: "65 …"),
        "H264-ANNEXB": RuleExample(
            broken: "00 00 00 01 67 …",
            kept: "67 …"),
        "H264-FIRST-IDR": RuleExample(
            broken: "PLAY … 200 OK\n(8 s of video without a key frame)",
            kept: "PLAY … 200 OK\nSPS, PPS, IDR"),
        "H265-FU": RuleExample(
            broken: "62 01 D3: S and E in one fragment",
            kept: "62 01 93, 62 01 13, 62 01 53"),
        "H265-AP": RuleExample(
            broken: "60 01 00 40 40 01 …: 64 octets announced, 20 present",
            kept: "60 01 00 14 40 01 … 00 10 42 01 …"),
        "H265-SPROP": RuleExample(
            broken: "sprop-sps of 1280×720, and a sequence parameter set of 1920×1080 in the stream",
            kept: "sprop-sps and the stream's sequence parameter set are identical"),
        "H265-FBIT": RuleExample(
            broken: "A6 01 … instead of 26 01 …",
            kept: "26 01 …"),
        "H265-ANNEXB": RuleExample(
            broken: "00 00 00 01 40 01 …",
            kept: "40 01 …"),
        "H265-HDR": RuleExample(
            broken: "26 00 …: TID 0",
            kept: "26 01 …: TID 1"),
        "AAC-AUHDR": RuleExample(
            broken: "00 10 12 40: AU-size 584 in a payload of 300 octets that is not a fragment",
            kept: "00 10 09 20: AU-size 292 in a payload of 296 octets"),
        "LATM-LENGTH": RuleExample(
            broken: "config=40002810 and cpresent=0, and FF 21 … in a packet of 200 octets with the marker",
            kept: "config=40002810 and cpresent=0, and C6 21 … in a packet of 199 octets with the marker"),
        "OPUS-FRAMES": RuleExample(
            broken: "7B 00 …: code 3 with 0 frames",
            kept: "7B 02 …: code 3 with 2 frames"),
        "MPEG4-CONFIG": RuleExample(
            broken: "config of 320×240, and headers of 640×480 in the stream",
            kept: "config and the stream's headers have 640×480"),
        "VP8-DESC": RuleExample(
            broken: "PictureID 17, then 19, no packet missing",
            kept: "PictureID 17, then 18"),
        "VP9-DESC": RuleExample(
            broken: "04 …: E without B, after a packet with E",
            kept: "0C …: B and E on the one packet of a frame"),
        "AV1-OBU": RuleExample(
            broken: "10 …, then 90 …: Z, although no OBU was started",
            kept: "50 …, then 90 …: Y, then Z"),
        "TEL-EVENT": RuleExample(
            broken: "key 5 for 800 ticks without E, and the next key",
            kept: "key 5 for 800 ticks, the last three packets with E"),
        "JPEG-HDR": RuleExample(
            broken: "offset 0 with 1 400 octets, then offset 2 800",
            kept: "offset 0 with 1 400 octets, then offset 1 400"),
        "PCM-SIZE": RuleExample(
            broken: "a=ptime:20 with PCMU, and packets of 240 octets",
            kept: "a=ptime:20 with PCMU, and packets of 160 octets"),
        "RTCP-COMPOUND": RuleExample(
            broken: "RR alone",
            kept: "RR, SDES with CNAME"),
        "RTCP-LENGTH": RuleExample(
            broken: "length 12 in a datagram of 28 octets",
            kept: "length 6 in a datagram of 28 octets"),
        "RTCP-CNAME": RuleExample(
            broken: "CNAME cam@192.0.2.2, then CNAME cam@192.0.2.9 for one SSRC",
            kept: "CNAME cam@192.0.2.2 each time"),
        "RTCP-SR-COUNT": RuleExample(
            broken: "500 more packets in the report, 100 captured, none missing",
            kept: "100 more packets in both"),
        "RTCP-SR-CLOCK": RuleExample(
            broken: "NTP 5.000 s on, RTP 900 000 on, clock rate 90 000",
            kept: "NTP 5.000 s on, RTP 450 000 on, clock rate 90 000"),
        "RTCP-RR-LSR": RuleExample(
            broken: "LSR 0x12345678, and no sender report with that time",
            kept: "LSR is the middle of the last sender report's NTP time"),
        "RTCP-RR-SEQ": RuleExample(
            broken: "seq 1200 is the last one sent, and the report has 21200",
            kept: "seq 1200 is the last one sent, and the report has 1200"),
        "RTCP-RR-LOSS": RuleExample(
            broken: "98 % lost in the receiver report, nothing missing in the capture",
            kept: "the same loss in both"),
        "RTCP-INTERVAL": RuleExample(
            broken: "a sender report every 60 s",
            kept: "a sender report every 5 s"),
        "RTCP-BYE": RuleExample(
            broken: "the last packet, 30 s of silence, TEARDOWN, and no BYE",
            kept: "the last packet, BYE"),
        "RTCP-MUX": RuleExample(
            broken: "no a=rtcp-mux, and sender reports on the RTP port",
            kept: "a=rtcp-mux, and sender reports on the RTP port"),
        "RTCP-FB-NEGOTIATED": RuleExample(
            broken: "RTP/AVP without a=rtcp-fb, and NACK",
            kept: "RTP/AVPF with a=rtcp-fb:96 nack, and NACK"),
        "RTCP-NACK-SERVED": RuleExample(
            broken: "NACK of seq 100, and no retransmission",
            kept: "NACK of seq 100, and seq 100 retransmitted 40 ms later"),
        "RTCP-PLI-SERVED": RuleExample(
            broken: "PLI, and no key frame for 5 s",
            kept: "PLI, a key frame 0.2 s later"),
        "RTCP-FIR": RuleExample(
            broken: "FIR seq 3, then seq 70",
            kept: "FIR seq 3, then seq 4"),
        "RTP-PACE": RuleExample(
            broken: "25 pictures per second, and 99 of 100 within 62 ms",
            kept: "25 pictures per second, and 99 of 100 within 12 ms"),
        "TS-SYNC": RuleExample(
            broken: "48 00 11 … instead of 47 00 11 …",
            kept: "47 00 11 …"),
        "TS-PAT": RuleExample(
            broken: "PID 0 without data for 2 s",
            kept: "PID 0 every 100 ms"),
        "TS-CC": RuleExample(
            broken: "PID 256: counter 4, then 7",
            kept: "PID 256: counter 4, then 5"),
        "TS-PMT": RuleExample(
            broken: "PMT on PID 4096, without data for 2 s",
            kept: "PMT on PID 4096 every 100 ms"),
        "TS-TEI": RuleExample(
            broken: "47 80 11 …",
            kept: "47 00 11 …"),
        "TS-CRC": RuleExample(
            broken: "PAT with a wrong CRC-32",
            kept: "PAT with its CRC-32"),
        "TS-PCR": RuleExample(
            broken: "PCR of PID 256: none for 400 ms",
            kept: "PCR of PID 256 every 40 ms"),
        "TS-PTS": RuleExample(
            broken: "video without a PTS for 2 s",
            kept: "a PTS with each picture"),
        "PS-IN-RTP": RuleExample(
            broken: "a=rtpmap:96 PS/90000, and payloads that begin with 00 00 01 BA",
            kept: "a=rtpmap:96 H264/90000"),
        "RTP-ENDPOINT": RuleExample(
            broken: "server_port=6000-6001, and RTP from port 6100",
            kept: "server_port=6000-6001, and RTP from port 6000"),
        "RTP-SKEW": RuleExample(
            broken: "video 1.6 % fast, audio on time: 80 ms apart after 5 s",
            kept: "video and audio on time"),
    ]
}
