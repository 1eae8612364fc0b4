// Violations of each rule of AMF and FLV, and milder forms that are no violation, or a lesser one.

extension FLVCase {
    private typealias Bench = FLVBench
    private static func hex(_ text: String) -> [UInt8] { FLVBench.hex(text) }

    static let amf: [FLVCase] = [
        FLVCase("AMF0-MARKER", "error unknown") { $0.send(20, Bench.string("a") + hex("63 00")) },
        FLVCase("AMF0-MARKER", "error unknown") { $0.send(17, [0] + Bench.string("a") + hex("11 12")) },
        FLVCase("AMF0-MARKER", "error short") { $0.send(18, Bench.string("a") + hex("00 3FF0")) },
        FLVCase("AMF0-MARKER", "error strayEnd") { $0.send(18, Bench.string("a") + hex("09")) },
        FLVCase("AMF0-MARKER", "error unknown") {
            $0.send(19, hex("0001 61 00000000 00000000 00000000 06 00000001 63"), stream: 0)
        },
        FLVCase("AMF0-MARKER") { $0.send(17, [0] + Bench.string("a") + Bench.number(0) + hex("11 04 05 05")) },
        FLVCase("AMF0-MARKER", "inconclusive AMF0.limit") {
            $0.send(18, Bench.string("a") + (0..<40).flatMap { _ in hex("0A 00000001") } + [5])
        },
        FLVCase("AMF0-MARKER", "error unknown") {
            $0.send(9, hex("D4 68766331") + Bench.string("colorInfo") + [99])
        },
        FLVCase("AMF0-OBJEND", "error missing") {
            $0.send(20, Bench.string("connect") + Bench.number(1) + [3] + Bench.name("app") + Bench.string("live"))
        },
        FLVCase("AMF0-OBJEND", "error missing") {
            $0.send(18, Bench.string("onMetaData") + hex("08 00000001") + Bench.name("width") + Bench.number(640))
        },
        FLVCase("AMF0-COUNT", "note other") {
            $0.send(18, Bench.string("onMetaData") + hex("08 00000003 0001 61 05 000009"))
        },
        FLVCase("AMF0-COUNT") { $0.send(18, Bench.string("onMetaData") + hex("08 00000000 0001 61 05 000009")) },
        FLVCase("AMF0-REF", "error nothing") { $0.send(18, Bench.string("a") + hex("03 000009 07 0001")) },
        FLVCase("AMF0-REF", "error nothing") { $0.send(15, [0] + Bench.string("a") + hex("11 06 02")) },
        FLVCase("AMF0-REF") { $0.send(18, Bench.string("a") + hex("03 000009 07 0000")) },
        FLVCase("AMF0-UTF8", "warning other") { $0.send(18, Bench.string("a") + hex("02 0002 C328")) },
        FLVCase("AMF0-UTF8", "warning other") { $0.send(18, Bench.string("a") + hex("03 0001 FF 05 000009")) },
        FLVCase("AMF0-UTF8") { $0.send(18, Bench.string("a") + hex("02 0002 C3A9")) },
    ]

    static let flv: [FLVCase] = [
        FLVCase("FLV-SEQHDR", "error late") {
            $0.metadata()
            $0.send(9, Bench.key)
            $0.send(9, Bench.avc)
            $0.send(9, Bench.inter)
        },
        FLVCase("FLV-SEQHDR", "error never") {
            $0.metadata()
            $0.send(8, Bench.sound)
        },
        FLVCase("FLV-SEQHDR", "inconclusive never") {
            $0.metadata()
            $0.lose(100)
            $0.connect()
            $0.connect()
            $0.send(8, Bench.sound)
            $0.send(8, Bench.sound)
        },
        FLVCase("FLV-SEQHDR", "error empty") { $0.send(8, hex("AF 00")) },
        FLVCase("FLV-SEQHDR", "error tooShort") { $0.send(9, hex("17 00 000000 014D401EFF")) },
        FLVCase("FLV-SEQHDR", "error noParameterSets") { $0.send(9, hex("17 00 000000 014D401EFFE000")) },
        FLVCase("FLV-SEQHDR", "error lengthSize") { $0.send(9, hex("17 00 000000 014D401EFEE000")) },
        FLVCase("FLV-SEQHDR", "error version") { $0.send(9, hex("17 00 000000 094D401EFFE000")) },
        FLVCase("FLV-SEQHDR", "error parameterSet") { $0.send(9, hex("17 00 000000 014D401EFFE10002674D01000168")) },
        FLVCase("FLV-SEQHDR", "error reserved") { $0.send(8, hex("AF 00 1690")) },
        FLVCase("FLV-SEQHDR", "warning profileDiffers") {
            var record = Bench.avc
            record[6] = 0x42
            $0.send(9, record)
        },
        FLVCase("FLV-SEQHDR", "note signature") {
            $0.send(8, hex("90 664C6143 10001000000001000400 0AC442F0 00000000 00000000000000000000000000000000"))
        },
        // The second of two tracks is empty.
        FLVCase("FLV-SEQHDR", "error empty") {
            $0.send(8, hex("95 20 6D703461 00 000002 1210 6D703461 01 000000"))
        },
        // Opus needs none.
        FLVCase("FLV-SEQHDR") { $0.send(8, hex("91 4F707573 AABB")) },
        FLVCase("FLV-NALU-LEN", "error startCodes") {
            $0.send(9, Bench.avc)
            $0.send(9, hex("17 01 000000 00000001 65AABB 00000001 41AABB"))
            $0.send(9, hex("27 01 000000 00000001 41AABB"))
        },
        FLVCase("FLV-NALU-LEN", "error overrun") { $0.send(9, hex("17 01 000000 00000009 65AABB")) },
        FLVCase("FLV-NALU-LEN", "error leftover") { $0.send(9, hex("17 01 000000 00000003 65AABB 0000")) },
        // Two tracks in a message: the NAL unit lengths match each track, although the second uses another length size.
        FLVCase("FLV-NALU-LEN") {
            $0.send(9, Bench.tracks(0, Bench.record(), Bench.record(lengthOctets: 2)))
            $0.send(9, Bench.tracks(3, hex("00000003 65AABB"), hex("0003 65AABB 0002 41AA")))
        },
        FLVCase("FLV-NALU-LEN", "error overrun") {
            $0.send(9, Bench.tracks(0, Bench.record(), Bench.record()))
            $0.send(9, Bench.tracks(3, hex("00000003 65AABB"), hex("00000004 65AABB")))
        },
        FLVCase("FLV-KEYFLAG", "warning noPicture") {
            $0.send(9, Bench.tracks(3, hex("00000003 65AABB"), hex("00000003 41AABB")))
        },
        FLVCase("FLV-SEQHDR", "error empty") { $0.send(9, Bench.tracks(0, Bench.record(), [])) },
        // The sequence header specifies lengths of two octets.
        FLVCase("FLV-NALU-LEN") {
            var record = Bench.avc
            record[9] = 0xFD
            $0.send(9, record)
            $0.send(9, hex("17 01 000000 0003 65AABB 0002 41AA"))
        },
        FLVCase("FLV-NALU-LEN", "error leftover") {
            var record = Bench.avc
            record[9] = 0xFD
            $0.send(9, record)
            $0.send(9, hex("17 01 000000 0003 65AABB 00"))
        },
        FLVCase("FLV-KEYFLAG", "warning noPicture") { $0.send(9, hex("17 01 000000 00000003 41AABB")) },
        FLVCase("FLV-KEYFLAG", "warning noFlag") { $0.send(9, hex("27 01 000000 00000003 65AABB")) },
        FLVCase("FLV-KEYFLAG", "warning noFlag") { $0.send(9, hex("A1 68766331 000000 00000003 2601AA")) },
        // A recovery point; parameter sets alone.
        FLVCase("FLV-KEYFLAG") { $0.send(9, hex("17 01 000000 00000005 060601C480 00000003 41AABB")) },
        FLVCase("FLV-KEYFLAG") { $0.send(9, hex("17 01 000000 00000004 674D401E")) },
        FLVCase("FLV-TS", "warning back") {
            $0.send(9, Bench.avc)
            $0.send(9, Bench.key, at: 1_000)
            $0.send(9, Bench.inter, at: 1_040)
            $0.send(9, Bench.inter, at: 900)
            $0.send(9, Bench.inter, at: 800)
        },
        // Audio goes back although the server just reported the start of publishing: this is no new stream.
        FLVCase("FLV-TS", "warning back") {
            $0.send(8, Bench.aac)
            $0.send(8, Bench.sound, at: 5_000)
            let code = Bench.string("code").dropFirst() + Bench.string("NetStream.Publish.Start")
            $0.send(20, Bench.string("onStatus") + Bench.number(0) + [5, 3] + code + [0, 0, 9], fromClient: false)
            $0.send(8, Bench.sound, at: 5_250)
            $0.send(8, Bench.sound, at: 5_000)
        },
        FLVCase("FLV-TS") {
            $0.send(8, Bench.aac)
            $0.send(8, Bench.sound, at: 5_000)
            let code = Bench.string("code").dropFirst() + Bench.string("NetStream.Publish.Start")
            $0.send(20, Bench.string("onStatus") + Bench.number(0) + [5, 3] + code + [0, 0, 9], fromClient: false)
            $0.send(8, Bench.sound, at: 0)
            $0.send(8, Bench.sound, at: 23)
        },
        // Audio stands still while video goes on: no distance between them is reported.
        FLVCase("FLV-TS", "warning still") {
            $0.send(9, Bench.avc)
            $0.send(8, Bench.aac)
            for step in UInt32(0)..<40 {
                $0.send(8, Bench.sound, at: 400)
                $0.send(9, Bench.inter, at: 400 + 40 * step)
                $0.pass(seconds: 0.04)
            }
        },
        // Several messages of one picture.
        FLVCase("FLV-TS") {
            $0.send(9, Bench.avc)
            for step in UInt32(0)..<40 {
                for _ in 0..<4 { $0.send(9, Bench.inter, at: 40 * step) }
                $0.pass(seconds: 0.04)
            }
        },
        FLVCase("FLV-TS", "warning ahead") {
            $0.send(9, Bench.avc)
            $0.send(8, Bench.aac)
            for step in UInt32(0)..<10 {
                $0.send(8, Bench.sound, at: 40 * step)
                $0.send(9, Bench.inter, at: 2_000 + 40 * step)
            }
        },
        // The server announced a new stream.
        FLVCase("FLV-TS") {
            $0.send(9, Bench.key, at: 5_000)
            $0.send(9, Bench.inter, at: 5_040)
            let code = Bench.string("code").dropFirst() + Bench.string("NetStream.Play.Reset")
            $0.send(20, Bench.string("onStatus") + Bench.number(0) + [5, 3] + code + [0, 0, 9], fromClient: false)
            $0.send(9, Bench.key, at: 0)
        },
        FLVCase("FLV-META", "note none") { $0.send(9, Bench.avc) },
        FLVCase("FLV-META", "note bare Q-RTMP-FLV") { $0.metadata(isForServer: false) },
        FLVCase("FLV-META", "note differs", "note differs", "note differs") {
            $0.metadata(
                Bench.name("width") + Bench.number(1_920) + Bench.name("videocodecid") + Bench.number(12)
                    + Bench.name("stereo") + [1, 0])
            $0.send(9, Bench.avc)
            $0.send(8, Bench.aac)
        },
        FLVCase("FLV-HEVC12", "note used Q-RTMP-FLV") { $0.send(9, Bench.hevc) },
        FLVCase("FLV-HEVC12") { $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5)) },
    ]

    static let enhanced: [FLVCase] = [
        FLVCase("EFLV-FOURCC", "error codec") {
            $0.connect()
            $0.send(9, hex("90 61626364 00"))
        },
        FLVCase("EFLV-FOURCC", "error packet") {
            $0.connect()
            $0.send(8, hex("96 4F707573 00"))
        },
        FLVCase("EFLV-FOURCC", "note noList") {
            $0.connect()
            $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5))
            $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5))
        },
        FLVCase("EFLV-FOURCC", "note unlisted") {
            $0.connect(Bench.name("fourCcList") + hex("0A 00000001") + Bench.string("av01"))
            $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5))
        },
        // The first message of a codec, although it is an ordinary frame.
        FLVCase("EFLV-FOURCC", "note unlisted") {
            $0.connect(Bench.name("fourCcList") + hex("0A 00000001") + Bench.string("av01"))
            $0.send(9, hex("A1 68766331 000000 00000002 0201"))
        },
        FLVCase("EFLV-FOURCC", "inconclusive unseen") {
            $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5))
        },
        FLVCase("EFLV-FOURCC") {
            $0.connect(Bench.name("videoFourCcInfoMap") + [3] + Bench.name("*") + Bench.number(4) + [0, 0, 9])
            $0.send(9, hex("80 68766331") + Bench.hevc.dropFirst(5))
        },
    ]
}
