import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirPackets
import WeirTesting

@testable import WeirKit
@testable import WeirProtocols

/// Recorded SRTP with its keys, compared with the same packets in the clear.
@Suite("Decrypted SRTP of recorded media") struct SRTPDecryptionTests {
    /// Collects the packets of each source.
    private final class Collector: MediaTap, PieceTap {
        var packets: [UInt32: [[UInt8]]] = [:]

        func take(_ stream: Int, _ header: RTPHeader, _ payload: RawSpan, _ format: MediaFormat?) {
            packets[header.ssrc, default: []].append(Self.octets(header, payload))
        }

        static func octets(_ header: RTPHeader, _ payload: RawSpan) -> [UInt8] {
            let numbers = [UInt64(header.sequenceNumber), UInt64(header.timestamp), UInt64(header.payloadType)]
            let head = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
            return head + [header.marker ? 1 : 0] + payload.array()
        }

        func miss(_ stream: Int) {}
        func end(_ stream: Int, isEncrypted: Bool, _ format: MediaFormat?) {}
        func take(_ piece: MediaPiece) {}
        func end(piecesOf stream: Int, lacksOctets: Bool) {}
    }

    private static func file(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: RecordedCaptures.path("Captures/\(name)"))))
    }

    private static func analyzed(
        _ capture: String, keys: String? = nil, keyLog: String? = nil
    ) throws -> (result: AnalysisResult, packets: [UInt32: [[UInt8]]], keys: SRTPKeyFile?) {
        var analysis = Analysis(RecordedCaptures.path("Captures/\(capture)"))
        if let keys {
            let (file, faults) = SRTPKeyFile.parse(try file(keys), source: "srtp.keys")
            #expect(faults.isEmpty)
            analysis.options.limits[SRTPSettings.self].keys = file
        }
        if let keyLog {
            let (log, faults) = KeyLog.parse(try file(keyLog), source: "secrets.log")
            #expect(faults.isEmpty)
            analysis.options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        }
        let collector = Collector()
        analysis.tap = collector
        return (try analysis.run(), collector.packets, analysis.options.limits[SRTPSettings.self].keys)
    }

    /// The members of a stream that decryption must not change, without times. The payloads of the packets before the
    /// recognition of a stream are not kept, and are counted with their tags.
    private static func members(_ stream: StreamRecord) -> [String] {
        let ignored: Set<String> = [
            "decryptedWith", "authentication", "payloadBytes", "rtcp", "jitterMs", "maxDeltaMs", "playout", "series",
        ]
        return stream.details.fields(.masked).filter { !ignored.contains($0.name) }.map { "\($0.name) \($0.value)" }
            .filter { !$0.hasPrefix("bitrate") && !$0.hasPrefix("pacing") && !$0.hasPrefix("frameRate") }
    }

    @Test("every profile gives the packets, streams and reports of the same media in the clear")
    func profiles() throws {
        let (clear, plain, _) = try Self.analyzed("rtp/rtp-srtp-clear.pcap")
        let (result, packets, keys) = try Self.analyzed("rtp/rtp-srtp.pcap", keys: "rtp/rtp-srtp.srtp-keys")
        #expect(plain.count == 5 && keys?.unused == [])
        #expect(packets == plain)
        #expect(clear.streams.count == 5 && result.streams.count == 5)
        for (one, other) in zip(clear.streams.sorted(by: Self.precedes), result.streams.sorted(by: Self.precedes)) {
            #expect(Self.members(one) == Self.members(other))
        }
        let reports = [clear, result].map { result in
            result.events.filter { $0.message.protocolName == "rtcp" }.map { "\($0.message.fields(.masked))" }
        }
        #expect(reports[0].count >= 5 && reports[0].sorted() == reports[1].sorted())
        #expect(result.events.allSatisfy { $0.decrypted == "srtp" || $0.message.kind == "start" })
        #expect(clear.events.allSatisfy { $0.decrypted == nil })
        #expect(result.findings.filter { $0.rule == "SRTP-AUTH" }.isEmpty)
    }

    /// The RTP packets that a recording script kept before they were encrypted, by source.
    private static func sent(_ name: String) throws -> [UInt32: [[UInt8]]] {
        var packets: [UInt32: [[UInt8]]] = [:]
        for line in String(decoding: try file(name), as: UTF8.self).split(separator: "\n") {
            let octets = hex(String(line))
            guard let second = octets.dropFirst().first, !RTCPPacket.isRTCP(secondOctet: second) else { continue }
            let header = try RTPHeader(octets.rawSpan)
            let payload = octets.rawSpan.clamped(header.payloadRange.lowerBound, header.payloadRange.upperBound)
            packets[header.ssrc, default: []].append(Collector.octets(header, payload))
        }
        return packets
    }

    @Test("a key log of DTLS gives what the peer sent", arguments: ["webrtc-keys-gcm", "webrtc-keys-cm"])
    func handshakes(_ name: String) throws {
        let sent = try Self.sent("webrtc/\(name).sent")
        let (result, packets, _) = try Self.analyzed("webrtc/\(name).pcap", keyLog: "webrtc/\(name).keylog")
        #expect(sent.count == 1 && sent.values.allSatisfy { $0.count > 50 })
        for (source, expected) in sent { #expect(packets[source] == expected) }
        #expect(result.streams.count == 2)
        for stream in result.streams {
            let media = try #require(stream.shared as? RTPStreamDetails)
            #expect(media.decryptedWith == .handshake("secrets.log") && !media.isEncrypted)
            #expect(media.authentication?.failed == 0)
        }
        #expect(result.sessions.map(\.record.decryptedWith) == [["secrets.log"]])
        let reports = result.events.filter { $0.message.protocolName == "rtcp" }
        #expect(!reports.isEmpty && reports.allSatisfy { $0.decrypted == "srtp" })
        #expect(result.findings.filter { $0.rule == "SRTP-AUTH" }.isEmpty)
        // Without the secrets, it is as encrypted as ever.
        let (closed, _, _) = try Self.analyzed("webrtc/\(name).pcap")
        #expect(
            closed.events.allSatisfy { $0.decrypted == nil }
                && closed.sessions.allSatisfy { $0.record.decryptedWith.isEmpty })
        #expect(closed.streams.compactMap { $0.shared as? RTPStreamDetails }.allSatisfy { $0.isEncrypted })
    }

    /// Opus frames as the page of the sender had them before encryption.
    @Test("a key log of Firefox, which writes the secrets of DTLS 1.3, gives what it sent")
    func firefox() throws {
        let name = "webrtc/firefox-dtls13"
        let (result, packets, _) = try Self.analyzed("\(name).pcap", keyLog: "\(name).keylog")
        let sent = String(decoding: try Self.file("\(name).sent"), as: UTF8.self).split(separator: "\n")
            .map { hex(String($0)) }
        #expect(packets.count == 1 && sent.count > 50)
        // Before the payload, the collector has three numbers and the marker.
        let received = packets.values.first?.map { Array($0.dropFirst(25)) } ?? []
        #expect(received == Array(sent.prefix(received.count)) && received.count > sent.count - 5)
        let hellos = result.events.filter { $0.message.kind == "serverHello" }.map { $0.message.summary(.masked) }
        #expect(!hellos.isEmpty && hellos.allSatisfy { $0.contains("DTLS 1.3") })
        let decrypted = result.events.filter { $0.decrypted == "dtls" }
        #expect(decrypted.map(\.message.kind) == ["certificate", "certificate", "dataChannel"])
        let facts = try #require(result.sessions.first).record
        #expect(facts.decryptedWith == ["secrets.log"])
        // The decrypted certificates are compared with the fingerprints.
        #expect(facts.facts(.masked).first { $0.name == "fingerprintMatches" }?.value == .bool(true))
        let keys = facts.outcome.map(\.key)
        #expect(keys.contains("webrtc.outcome.readDataChannel") && !keys.contains("webrtc.outcome.hiddenCertificates"))
        #expect(!result.findings.contains { $0.rule == "SRTP-AUTH" })
        let (closed, _, _) = try Self.analyzed("\(name).pcap")
        #expect(closed.events.allSatisfy { $0.decrypted == nil && $0.message.kind != "dataChannel" })
    }

    @Test("a key log of DTLS gives the data channels with their messages")
    func dataChannels() throws {
        let (result, _, _) = try Self.analyzed("webrtc/webrtc-keys-gcm.pcap", keyLog: "webrtc/webrtc-keys-gcm.keylog")
        let opened = result.events.filter { $0.message.kind == "dataChannel" }
        #expect(opened.count == 1 && opened.first?.decrypted == "dtls")
        let facts = try #require(result.sessions.first).record.facts(.masked)
        guard case .array(let channels) = facts.first(where: { $0.name == "dataChannels" })?.value,
            case .object(let members) = channels.first
        else {
            Issue.record("no data channels")
            return
        }
        // The offerer, the flow's client, sends five messages, which the answerer answers.
        let five = FieldValue.object([
            Field("clientToServer", .integer(5)), Field("serverToClient", .integer(5)),
        ])
        #expect(channels.count == 1)
        #expect(members.first { $0.name == "label" }?.value == .string("chat"))
        #expect(members.first { $0.name == "messages" }?.value == five)
    }

    /// Certificates are encrypted in DTLS 1.3, its exporter differs, and a key update starts another epoch. Of the data
    /// channel, one message is captured twice, and one after the next.
    @Test("a key log of DTLS 1.3 gives the media, data channels and certificates", arguments: ["gcm", "chacha20"])
    func handshakes13(_ suite: String) throws {
        let name = "webrtc/dtls13-\(suite)"
        let (result, packets, _) = try Self.analyzed("\(name).pcap", keyLog: "\(name).keylog")
        let sent = try Self.sent("\(name).sent")
        #expect(sent.count == 1 && sent.values.first?.count == 40 && packets == sent)
        let decrypted = result.events.filter { $0.decrypted == "dtls" }
        #expect(decrypted.map(\.message.kind) == ["certificate", "certificate", "dataChannel"])
        #expect(decrypted.map(\.frame) == [3, 4, 6])
        let facts = try #require(result.sessions.first).record.facts(.masked)
        let expected = FieldValue.object([
            Field("clientToServer", .integer(7)), Field("serverToClient", .integer(300)),
        ])
        guard case .array(let channels) = facts.first(where: { $0.name == "dataChannels" })?.value,
            case .object(let members) = channels.first
        else {
            Issue.record("no data channels")
            return
        }
        #expect(members.first { $0.name == "messages" }?.value == expected)
        let (closed, _, _) = try Self.analyzed("\(name).pcap")
        #expect(closed.events.allSatisfy { $0.decrypted == nil && $0.message.kind != "certificate" })
        #expect(result.sessions.map(\.record.decryptedWith) == [["secrets.log"]])
    }

    @Test("keys of MIKEY in the description and in SETUP are used")
    func keyManagement() throws {
        let (result, _, _) = try Self.analyzed("rtsp/rtsp-srtp.pcap")
        let streams = result.streams.compactMap { $0.shared as? RTPStreamDetails }
        #expect(
            streams.count == 2 && streams.allSatisfy { $0.decryptedWith == .mikey && $0.authentication?.failed == 0 })
        let reports = result.events.filter { $0.message.protocolName == "rtcp" }
        #expect(!reports.isEmpty && reports.allSatisfy { $0.decrypted == "srtp" })
    }

    @Test("keys of MIKEY give the packets that the server sent before it encrypted them")
    func sentWithMIKEY() throws {
        let sent = try Self.sent("rtsp/rtsp-srtp-mikey.sent")
        let (result, packets, _) = try Self.analyzed("rtsp/rtsp-srtp-mikey.pcap")
        #expect(sent.count == 2 && Set(packets.keys) == Set(sent.keys))
        for (source, received) in packets {
            // The pipeline goes on after the capture.
            #expect(received.count > 50 && received == Array(sent[source]?.prefix(received.count) ?? []))
        }
        #expect(result.streams.compactMap { $0.shared as? RTPStreamDetails }.allSatisfy { $0.lost == 0 })
    }

    /// Collects what is extracted.
    private final class Extracted: MediaFile {
        var octets: [UInt8] = []
        func write(_ some: [UInt8]) { octets += some }
        func patch(_ patch: FilePatch) {}
        func close() {}
    }

    @Test("keys of a=crypto give the film that the server sent, octet by octet")
    func sentWithDescriptions() throws {
        var files: [String: Extracted] = [:]
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, ending in
            let file = Extracted()
            files[ending] = file
            return file
        }
        var analysis = Analysis(RecordedCaptures.path("Captures/rtsp/rtsp-srtp-sdes.pcap"))
        analysis.tap = extractor
        _ = try analysis.run()
        #expect(files.count == 2)
        for (ending, file) in files {
            let isVideo = ending.contains("264")
            let sent = try Self.file("rtsp/rtsp-srtp-sdes.sent.\(isVideo ? "h264" : "mulaw")")
            // A WAVE file has its header before the samples; start codes of H.264 have three or four octets.
            let got = isVideo ? Self.units(file.octets) : [Array(file.octets.dropFirst(44))]
            let expected = isVideo ? Self.units(sent) : [Array(sent.prefix(file.octets.count - 44))]
            let place = zip(got, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(file.octets.count > 8_000 && got.count <= expected.count && place == nil, "\(ending)")
        }
    }

    /// Splits a stream of H.264 into its units, without start codes.
    private static func units(_ octets: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var unit: [UInt8] = []
        for octet in octets {
            unit.append(octet)
            guard unit.suffix(3) == [0, 0, 1] else { continue }
            unit.removeLast(3)
            while unit.last == 0 { unit.removeLast() }
            if !unit.isEmpty { units.append(unit) }
            unit = []
        }
        return unit.isEmpty ? units : units + [unit]
    }

    @Test("keys of other media decrypt nothing and are reported as unused")
    func otherKeys() throws {
        let (without, _, _) = try Self.analyzed("webrtc/webrtc-keys-cm.pcap")
        var analysis = Analysis(RecordedCaptures.path("Captures/webrtc/webrtc-keys-cm.pcap"))
        let text = "* AES_CM_128_HMAC_SHA1_80 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\n"
        let keys = SRTPKeyFile.parse(Array(text.utf8), source: "srtp.keys").file
        analysis.options.limits[SRTPSettings.self].keys = keys
        let result = try analysis.run()
        #expect(keys.unused.map(\.description) == ["srtp.keys:1: the key fits no packet"])
        #expect(result.streams.map { $0.details.fields(.masked) } == without.streams.map { $0.details.fields(.masked) })
        #expect(result.findings.map(\.rule) == without.findings.map(\.rule))
    }

    @Test("the rollover counter is found when the capture begins after a rollover")
    func late() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtp/rtp-srtp.pcap"))
        // The sequence numbers of the first source roll over in its 20th packet.
        let kept = frames.filter { frame in
            guard let datagram = frame.datagram.map(Array.init), datagram.count > 12 else { return false }
            return datagram.rawSpan.uint32(at: 8) == 0x5EC0_DE00 && datagram[2] == 0
        }
        #expect(kept.count == 10)
        var options = AnalyzerOptions()
        options.limits[SRTPSettings.self].keys =
            SRTPKeyFile.parse(try Self.file("rtp/rtp-srtp.srtp-keys"), source: "srtp.keys").file
        let result = EditedCalls.analyzed(kept, options)
        let media = try #require(result.streams.first?.shared as? RTPStreamDetails)
        // The payloads of the packets before the recognition of the stream are gone.
        #expect(media.authentication?.verified == 8 && media.authentication?.failed == 0)
    }

    private static func precedes(_ one: StreamRecord, _ other: StreamRecord) -> Bool {
        one.source.port % 100 < other.source.port % 100
    }
}
