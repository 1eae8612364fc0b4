import WeirEngine

/// Examples of the rules about conclusions and packets.
enum SRTPacketExamples {
    static let all: [String: RuleExample] = [
        "SRT-INDUCTION-FIELDS": RuleExample(
            broken: "INDUCTION, extension field 0",
            kept: "INDUCTION, extension field 2"),
        "SRT-VERSION": RuleExample(
            broken: "CONCLUSION, version 4",
            kept: "CONCLUSION, version 5"),
        "SRT-EXTENSION-FIELD": RuleExample(
            broken: "CONCLUSION, extension field 1, stream ID",
            kept: "CONCLUSION, extension field 5, stream ID"),
        "SRT-HSREQ": RuleExample(
            broken: "CONCLUSION without HSREQ",
            kept: "CONCLUSION, HSREQ"),
        "SRT-LIVE": RuleExample(
            broken: "HSREQ, flags 0x00000027",
            kept: "HSREQ, flags 0x000000bf"),
        "SRT-KM-CIPHER": RuleExample(
            broken: "KMREQ, cipher AES-GCM, authentication none",
            kept: "KMREQ, cipher AES-CTR, authentication none"),
        "SRT-KM-ANSWER": RuleExample(
            broken: "CONCLUSION, KMREQ\nCONCLUSION response without KMRSP",
            kept: "CONCLUSION, KMREQ\nCONCLUSION response, KMRSP"),
        "SRT-DROP-RANGE": RuleExample(
            broken: "drop request 120 to 118",
            kept: "drop request 118 to 120"),
        "SRT-CONTROL-TYPE": RuleExample(
            broken: "control type 9",
            kept: "control type 8"),
        "SRT-REASON": RuleExample(
            broken: "rejection 1500",
            kept: "rejection 1010"),
        "SRT-FIRST-SEQUENCE": RuleExample(
            broken: "CONCLUSION, initial sequence number 7\ndata 90000",
            kept: "CONCLUSION, initial sequence number 7\ndata 7"),
        "SRT-KK": RuleExample(
            broken: "data 7, KK 3",
            kept: "data 7, KK 1"),
        "SRT-TIMESTAMP": RuleExample(
            broken: "data 7, timestamp 1000\ndata 8, timestamp 500",
            kept: "data 7, timestamp 1000\ndata 8, timestamp 1500"),
        "SRT-MESSAGE": RuleExample(
            broken: "data 7, message 1\ndata 8, message 5",
            kept: "data 7, message 1\ndata 8, message 2"),
        "SRT-POSITION": RuleExample(
            broken: "data 7, PP 11\ndata 8, PP 01",
            kept: "data 7, PP 10\ndata 8, PP 01"),
        "SRT-ACK-LIGHT": RuleExample(
            broken: "light ACK, number 5",
            kept: "light ACK, number 0"),
        "SRT-ACKACK": RuleExample(
            broken: "ACK 1\nACK 2\nACK 3\nACK 4",
            kept: "ACK 1\nACKACK 1"),
        "SRT-NAK-AHEAD": RuleExample(
            broken: "data 7\nNAK 8\ndata 8",
            kept: "data 9\nNAK 8"),
        "SRT-NAK-SERVED": RuleExample(
            broken: "NAK 8\nNAK 8\nNAK 8\nNAK 8",
            kept: "NAK 8\ndata 8, R"),
        "SRT-REQUESTED": RuleExample(
            broken: "data 7\ndata 7, R\ndata 8\ndata 8, R",
            kept: "data 7\ndata 9\nNAK 8\ndata 8, R"),
        "SRT-KEEPALIVE": RuleExample(
            broken: "data 7\n4 s later: data 8",
            kept: "data 7\n1 s later: keep-alive"),
        "SRT-AFTER-SHUTDOWN": RuleExample(
            broken: "shutdown\n1 s later: data 8",
            kept: "data 8\nshutdown"),
        "SRT-SOCKET": RuleExample(
            broken: "CONCLUSION response, socket 98\ndata 7 to socket 55",
            kept: "CONCLUSION response, socket 98\ndata 7 to socket 98"),
    ]
}
