import WeirEngine

/// A violating and a conforming example for each rule.
enum RTMPExamples {
    static let all: [String: RuleExample] = [
        "RTMP-HS-VERSION": RuleExample(broken: "C0 = 0x31", kept: "C0 = 0x03"),
        "RTMP-HS-ORDER": RuleExample(broken: "C0 C1 connect", kept: "C0 C1 / S0 S1 S2 / C2 connect"),
        "RTMP-HS-SIZE": RuleExample(broken: "C1 of 1 535 octets", kept: "C1 of 1 536 octets"),
        "RTMP-HS-C1ZERO": RuleExample(broken: "C1: 00 00 00 00 01 02 03 04 …", kept: "C1: 00 00 00 00 00 00 00 00 …"),
        "RTMP-HS-C2": RuleExample(broken: "C2 = C1", kept: "C2 = S1"),
        "RTMP-HS-S2": RuleExample(broken: "S2 = S1", kept: "S2 = C1"),
        "RTMP-HS-TIME2": RuleExample(broken: "C2: 00 00 00 00 00 00 00 00 …", kept: "C2: 00 00 00 00 00 00 1F 40 …"),
        "RTMP-HS-ENTROPY": RuleExample(broken: "C1: … 00 00 00 00 00 00", kept: "C1: … 9C 41 E7 03 5A D8"),
        "RTMP-HS-STALL": RuleExample(broken: "S0, S1, S2\n(nothing for 30 seconds)", kept: "S0, S1, S2\nC2, connect"),
        "RTMP-CS-TYPE0": RuleExample(
            broken: "first chunk of chunk stream 4: type 1",
            kept: "first chunk of chunk stream 4: type 0"),
        "RTMP-CS-CSID": RuleExample(
            broken: "chunk stream 3 as 00 … (two octets)",
            kept: "chunk stream 3 as 03 (one octet)"),
        "RTMP-CS-CONTROL": RuleExample(
            broken: "Set Chunk Size on chunk stream 3",
            kept: "Set Chunk Size on chunk stream 2, message stream 0"),
        "RTMP-CS-UCM": RuleExample(
            broken: "Stream Begin on chunk stream 5",
            kept: "Stream Begin on chunk stream 2, message stream 0"),
        "RTMP-CS-SIZE": RuleExample(broken: "Set Chunk Size 1", kept: "Set Chunk Size 4096"),
        "RTMP-CS-LENGTH": RuleExample(
            broken: "video of 5 000 octets: 4 096, then a new message",
            kept: "video of 5 000 octets: 4 096 and 904"),
        "RTMP-CS-EXTTS": RuleExample(
            broken: "FF FF FF … 01 00 00 00, then type 3 without it",
            kept: "FF FF FF … 01 00 00 00, then type 3 with 01 00 00 00"),
        "RTMP-CS-TS24": RuleExample(
            broken: "timestamps 16777210, 16777214, 2",
            kept: "timestamps 16777210, 16777214, 16777218"),
        "RTMP-CS-TSBACK": RuleExample(broken: "type 1, delta 16777144", kept: "type 0, timestamp 960"),
        "RTMP-CS-MSID-LE": RuleExample(broken: "message stream 00 00 00 01", kept: "message stream 01 00 00 00"),
        "RTMP-ACK": RuleExample(
            broken: "window 5 000 000\n12 000 000 octets, no Acknowledgement",
            kept: "window 5 000 000\nAcknowledgement 5 000 112"),
        "RTMP-PEERBW": RuleExample(
            broken: "Set Peer Bandwidth 5000000\n(no Window Acknowledgement Size)",
            kept: "Set Peer Bandwidth 5000000\nWindow Acknowledgement Size 5000000"),
        "RTMP-PING": RuleExample(
            broken: "Ping Request 123456\nPing Response 0",
            kept: "Ping Request 123456\nPing Response 123456"),
        "RTMP-AGGREGATE": RuleExample(
            broken: "message 211 octets, back pointer 200",
            kept: "message 211 octets, back pointer 222"),
        "RTMP-CONNECT": RuleExample(
            broken: "connect (transaction 1) {app}",
            kept: "connect (transaction 1) {app, tcUrl}"),
        "RTMP-TCURL": RuleExample(
            broken: "connect app \"live\", tcUrl rtmp://192.0.2.1/other",
            kept: "connect app \"live\", tcUrl rtmp://192.0.2.1/live"),
        "RTMP-CODEC-FLAGS": RuleExample(broken: "videoCodecs: 7", kept: "videoCodecs: 128"),
        "RTMP-RESULT": RuleExample(
            broken: "connect (transaction 1)\n(the server closes the connection)",
            kept: "connect (transaction 1)\n_result (transaction 1) NetConnection.Connect.Success"),
        "RTMP-CMD-TYPE": RuleExample(broken: "type 18: releaseStream", kept: "type 20: releaseStream"),
        "RTMP-ORDER": RuleExample(
            broken: "createStream\npublish on message stream 0",
            kept: "createStream\n_result 1\npublish on message stream 1"),
        "RTMP-PUBLISH": RuleExample(broken: "publish null \"\"", kept: "publish null \"name\" \"live\""),
        "RTMP-TXID-ZERO": RuleExample(broken: "publish (transaction 5)", kept: "publish (transaction 0)"),
        "RTMP-ONSTATUS": RuleExample(
            broken: "publish\n(nothing)",
            kept: "publish\nonStatus {level: status, code: NetStream.Publish.Start, description: …}"),
        "RTMP-MEDIA-EARLY": RuleExample(
            broken: "publish\nvideo\nonStatus NetStream.Publish.Start",
            kept: "publish\nonStatus NetStream.Publish.Start\nvideo"),
        "RTMP-EXT-CMD": RuleExample(broken: "FCPublish \"name\"", kept: "createStream\npublish \"name\""),
        "RTMP-KEY-CLEAR": RuleExample(broken: "publish \"live?token=…\" over RTMP", kept: "publish over RTMPS"),
        "AMF0-MARKER": RuleExample(broken: "03 00 03 61 70 70 1F …", kept: "03 00 03 61 70 70 02 …"),
        "AMF0-OBJEND": RuleExample(broken: "… 00 00 08", kept: "… 00 00 09"),
        "AMF0-COUNT": RuleExample(broken: "ECMA array of 9, with 7 members", kept: "ECMA array of 7, with 7 members"),
        "AMF0-REF": RuleExample(broken: "07 00 05 (two objects so far)", kept: "07 00 01 (two objects so far)"),
        "AMF0-UTF8": RuleExample(broken: "02 00 02 C3 28", kept: "02 00 02 C3 A9"),
    ]
}
