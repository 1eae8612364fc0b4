extension RTMPScript {
    private static let opening = """
        C C0 3
        C C1
        S S0 3
        S S1
        S S2
        C C2
        C 20 0 connect 1 \
        {app=live|flashVer=FMLE/3.0|tcUrl=rtmp://192.0.2.2:1935/live|audioCodecs=3575|videoCodecs=252}
        # behind connect
        S 5 0 004C4B40
        S 6 0 0026259F02
        C 5 0 0026259F
        S 4 0 000000000000
        S 1 0 00001000
        S 20 0 _result 1 {fmsVer=test} {level=status|code=NetConnection.Connect.Success|description=Yes}
        C 20 0 createStream 2 null
        S 20 0 _result 2 null 1
        # behind createStream

        """

    /// A successful publisher; the readable stream key is reported all the same.
    static let publish = RTMPScript(
        opening + """
            C 20 1 publish 0 null key live
            S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=Begin}
            C csid=6 ts=16777300 18 1 onMetaData {encoder=test|width=160}
            C csid=6 fmt=1 ts=20 18 1 onCuePoint {name=a}
            C csid=4 9 1 2701000000AABB
            C csid=4 ts=20 22 1 0800000300001400000000AF01000000000E
            S 4 0 000600001234
            C 4 0 000700001234
            +2
            # behind media
            C 20 0 deleteStream 0 null 1
            S 20 1 onStatus 0 null {level=status|code=NetStream.Unpublish.Success|description=End}
            FIN C
            """)

    /// A successful player.
    static let play = RTMPScript(
        opening + """
            C 20 1 play 0 null film
            S 20 1 onStatus 0 null {level=status|code=NetStream.Play.Start|description=Begin}
            S 5 0 000007D0
            S csid=4 9 1 2701000000x1500
            S csid=4 fmt=1 ts=40 9 1 2701000000x1500
            C ack
            S csid=4 fmt=1 ts=40 9 1 2701000000x1500
            +2
            S csid=4 fmt=1 ts=40 9 1 2701000000x1500
            C ack
            S csid=4 fmt=1 ts=40 9 1 2701000000x1500
            C 20 0 deleteStream 0 null 1
            FIN C
            """)

    /// The handshake only.
    static let handshake = RTMPScript(
        """
        C C0 3
        C C1
        S S0 3
        S S1
        S S2
        C C2
        +30
        FIN C
        """)
}

enum RTMPCases {
    private static let publish = RTMPScript.publish
    private static let play = RTMPScript.play

    static let all: [RTMPCase] = [
        RTMPCase("RTMP-HS-VERSION", publish, [("S S0 3", "S S0 4")], "error other"),
        RTMPCase("RTMP-HS-VERSION", publish, [("S S0 3", "S S0 80")], "error forbidden"),
        RTMPCase(
            "RTMP-HS-ORDER", publish, [("S S2\n", ""), ("# behind connect", "S S2")], "error client"),
        RTMPCase("RTMP-HS-SIZE", .handshake, [("C C2", "C C2 short=1000")], "error short"),
        RTMPCase("RTMP-HS-SIZE", publish, [("C C2", "C C2 short=1532")], "error chunk"),
        RTMPCase("RTMP-HS-SIZE", publish, [("C C2", "C C2 short=1520")], "error chunk"),
        RTMPCase("RTMP-HS-SIZE", publish, [("S S2", "S S2 short=1533")], "error chunk"),
        RTMPCase("RTMP-HS-SIZE", publish, [("S S2", "S S2 short=900")], "error chunk"),
        RTMPCase("RTMP-HS-SIZE", publish, [("C C1", "C C1 short=1100")], "error early"),
        RTMPCase("RTMP-HS-SIZE", publish, [("C C1", "C C1 short=1532")], "error early"),
        RTMPCase("RTMP-HS-C1ZERO", publish, [("S S1", "S S1 zero=01020304")], "note notZero Q-RTMP-HS"),
        RTMPCase("RTMP-HS-C2", publish, [("C C2", "C C2 own")], "error ownFirstPart"),
        RTMPCase("RTMP-HS-C2", publish, [("C C2", "C C2 other")], "error other"),
        RTMPCase("RTMP-HS-S2", publish, [("S S2", "S S2 other")], "note other Q-RTMP-HS"),
        RTMPCase("RTMP-HS-TIME2", publish, [("C C2", "C C2 time2=0")], "note zero Q-RTMP-HS"),
        RTMPCase("RTMP-HS-TIME2", publish, [("S S2", "S S2 time2=5")], "note peerTime"),
        RTMPCase("RTMP-HS-ENTROPY", publish, [("S S1", "S S1 fill=zeros")], "note zeros"),
        RTMPCase("RTMP-HS-STALL", .handshake, [], "error noConnect"),
        RTMPCase("RTMP-HS-STALL", .handshake, [("C C2\n", "")], "error noC2"),
        RTMPCase("RTMP-HS-STALL", publish, [("C C2\n", "C C2\n+8\n")], "error late"),
        RTMPCase("RTMP-HS-STALL", .handshake, [("+30", "+1")]),
        RTMPCase(
            "RTMP-CS-TYPE0", publish, [("C 20 0 createStream", "C csid=5 fmt=1 20 0 createStream")],
            "warning other Q-RTMP-CHUNK"),
        RTMPCase(
            "RTMP-CS-CSID", publish, [("C 20 0 createStream", "C csid=70 basic=3 20 0 createStream")], "note long"),
        RTMPCase("RTMP-CS-CONTROL", publish, [("S 5 0", "S csid=3 5 0")], "error chunkStream"),
        RTMPCase("RTMP-CS-CONTROL", publish, [("S 5 0", "S 5 1")], "error messageStream"),
        RTMPCase("RTMP-CS-CONTROL", publish, [("S 5 0 004C4B40", "S 5 0 004C")], "error short"),
        RTMPCase("RTMP-CS-CONTROL", publish, [("S 6 0 0026259F02", "S 6 0 0026259F")], "error short"),
        RTMPCase("RTMP-CS-CONTROL", publish, [("S 4 0 000600001234", "S 4 0 00")], "error short"),
        RTMPCase(
            "RTMP-CS-TYPE0", publish, [("# behind media", "C raw C9\nC csid=4 ts=60 9 1 2701000000AABB")],
            "error stray"),
        RTMPCase(
            "RTMP-CS-SIZE", publish,
            [("# behind media", "C csid=4 chunk=4096 ts=60 9 1 2701000000x595\nC csid=4 ts=80 9 1 2701000000AABB")],
            "error ofPeer.client"),
        RTMPCase(
            "RTMP-CS-SIZE", publish,
            [
                ("S 1 0 00001000\n", ""),
                ("# behind media", "C csid=4 chunk=4096 ts=60 9 1 2701000000x595\nC csid=4 ts=80 9 1 2701000000AABB"),
            ],
            "error exceeded"),
        RTMPCase(
            "RTMP-CS-EXTTS", publish, [("# behind media", "C csid=4 ext ts=60 9 1 2701000000AABB")], "note needless"),
        RTMPCase("RTMP-CS-UCM", publish, [("S 4 0 0000", "S csid=3 4 0 0000")], "warning chunkStream"),
        RTMPCase("RTMP-CS-SIZE", publish, [("S 1 0 00001000", "S 1 0 00000040")], "warning small"),
        RTMPCase("RTMP-CS-SIZE", publish, [("S 1 0 00001000", "S 1 0 00000000")], "error zero"),
        RTMPCase(
            "RTMP-CS-LENGTH", publish,
            [("# behind media", "C csid=7 cut=128 9 1 2701000000x295\nC csid=7 ts=9 9 1 2701000000")],
            "error unfinished"),
        RTMPCase(
            "RTMP-CS-EXTTS", publish, [("# behind media", "C csid=7 omit ts=16777300 9 1 2701000000x295")],
            "warning omitted Q-RTMP-EXTTS"),
        RTMPCase(
            "RTMP-CS-TS24", publish,
            [("# behind media", "C csid=7 ts=16777200 9 1 2701000000\nC csid=7 ts=10 9 1 2701000000")],
            "error wrapped"),
        RTMPCase(
            "RTMP-CS-TSBACK", publish,
            [("# behind media", "C csid=7 ts=60 9 1 2701000000\nC csid=7 fmt=1 ts=16777195 9 1 2701000000")],
            "warning delta"),
        RTMPCase("RTMP-CS-MSID-LE", publish, [("C 20 1 publish", "C 20 16777216 publish")], "warning bigEndian"),
        RTMPCase("RTMP-ACK", play, [("C ack\n", ""), ("C ack\n", "")], "error never.client"),
        RTMPCase(
            "RTMP-ACK", play, [("C ack", "C ack 99999999"), ("C ack\n", "")], "error tooMuch", "error overdue.client"),
        RTMPCase(
            "RTMP-ACK", play,
            [
                (
                    "C ack\n",
                    """
                    C ack 3200
                    S csid=4 fmt=1 ts=40 9 1 2701000000x1500
                    S csid=4 fmt=1 ts=40 9 1 2701000000x1500
                    C ack 3200
                    S csid=4 fmt=1 ts=40 9 1 2701000000x1500
                    C ack 3200

                    """
                )
            ], "error same"),
        RTMPCase("RTMP-PEERBW", publish, [("C 5 0 0026259F\n", "")], "note client Q-RTMP-CMD"),
        RTMPCase(
            "RTMP-PING", publish, [("C 4 0 000700001234", "C 4 0 000700009999")], "warning other", "warning never"),
        RTMPCase("RTMP-PING", publish, [("C 4 0 000700001234", "+11")], "warning never"),
        RTMPCase("RTMP-AGGREGATE", publish, [("0000000E\n", "0000000D\n")], "warning backPointer"),
        RTMPCase("RTMP-CONNECT", publish, [("connect 1", "connect 2")], "error transaction"),
        RTMPCase("RTMP-CONNECT", publish, [("|tcUrl=rtmp://192.0.2.2:1935/live", "")], "error missing"),
        RTMPCase("RTMP-CONNECT", publish, [("app=live|", "app=|")], "error empty"),
        RTMPCase("RTMP-CONNECT", publish, [("C C2\n", "C C2\nC 20 0 createStream 1 null\n")], "error notFirst"),
        RTMPCase("RTMP-TCURL", publish, [("192.0.2.2:1935/live", "192.0.2.2:1936/live")], "warning port"),
        RTMPCase(
            "RTMP-TCURL", publish, [("192.0.2.2:1935/live", "192.0.2.3/other")], "warning address",
            "warning application"),
        RTMPCase("RTMP-TCURL", publish, [("rtmp://192.0.2.2:1935/live", "live")], "warning form"),
        RTMPCase(
            "RTMP-CODEC-FLAGS", publish,
            [("audioCodecs=3575", "audioCodecs=10"), ("videoCodecs=252", "videoCodecs=7")],
            "note number", "note number"),
        RTMPCase("RTMP-RESULT", publish, [("S 20 0 _result 2 null 1\n", ""), ("FIN C", "FIN S")], "error never"),
        RTMPCase("RTMP-RESULT", publish, [("S 20 0 _result 2 null 1\n", "")]),
        RTMPCase("RTMP-RESULT", publish, [("_result 2", "_result 9")], "warning unasked"),
        RTMPCase(
            "RTMP-CMD-TYPE", publish, [("# behind createStream", "C 18 0 FCPublish 3 null key")], "warning data"),
        RTMPCase("RTMP-ORDER", publish, [("C 20 1 publish", "C 20 7 publish")], "error unknown"),
        RTMPCase("RTMP-ORDER", publish, [("C 20 1 publish", "C 20 0 publish")], "warning zero Q-RTMP-CMD"),
        RTMPCase(
            "RTMP-ORDER", publish,
            [("S 20 0 _result 2 null 1\n", ""), ("null key live\n", "null key live\nS 20 0 _result 2 null 1\n")],
            "error early"),
        RTMPCase("RTMP-PUBLISH", publish, [("null key live", "null key LIVE")], "error type"),
        RTMPCase("RTMP-PUBLISH", publish, [("null key live", "null key")], "warning noType"),
        RTMPCase("RTMP-PUBLISH", publish, [("null key live", "key live")], "error notNull"),
        RTMPCase("RTMP-TXID-ZERO", publish, [("publish 0", "publish 5")], "note other Q-RTMP-CMD"),
        RTMPCase("RTMP-ONSTATUS", publish, [("|code=NetStream.Publish.Start", "")], "error missing"),
        RTMPCase("RTMP-ONSTATUS", publish, [("S 20 1 onStatus", "S 20 0 onStatus")], "warning stream"),
        RTMPCase(
            "RTMP-ONSTATUS", publish,
            [
                ("S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=Begin}\n", ""),
                ("S 20 1 onStatus 0 null {level=status|code=NetStream.Unpublish.Success|description=End}\n", ""),
                ("FIN C", "FIN S"),
            ], "error never"),
        RTMPCase(
            "RTMP-MEDIA-EARLY", publish,
            [("S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=Begin}\n", "")],
            "note early", "note early"),
        RTMPCase(
            "RTMP-EXT-CMD", publish, [("# behind createStream", "C 20 0 releaseStream 3 null key")],
            "note releaseStream Q-RTMP-CMD"),
        RTMPCase("RTMP-KEY-CLEAR", publish, [], "note name"),
        RTMPCase("RTMP-KEY-CLEAR", play, [("null film", "null film?token=1")], "note token"),
    ]
}
