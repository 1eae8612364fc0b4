import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// Encrypted captures with their secrets, against the same dialogues in the clear.
@Suite("Decryption") struct DecryptionTests {
    static let names = [
        "rtsps-tls13", "rtmps-tls12-gcm", "rtmps-tls12-cbc", "rtmps-tls12-cbc-etm", "wss-tls13", "whip-tls12-chacha20",
    ]

    static func path(_ name: String) -> String { RecordedCaptures.path("Captures/tls/\(name)") }

    static func log(_ name: String, without missing: String? = nil) throws -> KeyLog {
        let text = try String(contentsOfFile: path("\(name).keys"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { line in missing.map { !line.hasPrefix($0) } ?? true }
        let (log, faults) = KeyLog.parse(Array(lines.joined(separator: "\n").utf8), source: "\(name).keys")
        #expect(faults.isEmpty)
        return log
    }

    static func analyzed(_ name: String, _ log: KeyLog?) throws -> AnalysisResult {
        var analysis = Analysis(path("\(name).pcap"))
        if let log { analysis.options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log]) }
        return try analysis.run()
    }

    /// What an event says, without numbers of frames and events, addresses and times.
    private static func told(_ event: Event) -> String {
        let measured: Set = ["latencyMs", "jitterMs", "durationMs", "httpEvent"]
        let fields = event.message.fields(.masked).filter { !measured.contains($0.name) }
        let isMeasured = event.message.protocolName == "rtp" || event.message.kind == "end"
        return "\(event.direction) \(event.message.protocolName) \(event.message.kind) "
            + (isMeasured ? "" : "\(event.message.summary(.masked)) \(fields)")
    }

    @Test("tells the same as in the clear", arguments: names)
    func same(_ name: String) throws {
        let log = try Self.log(name)
        let result = try Self.analyzed(name, log)
        let twin = try Analysis(Self.path("\(name).pcap.clear")).run()
        let decrypted = result.events.filter { $0.decrypted == "tls" }
        // The publisher closed before the server's last response, which the front could not deliver.
        let inClear = twin.events.filter {
            $0.message.protocolName != "tcp" && !$0.message.summary(.masked).contains("NetStream.Unpublish.Success")
        }
        #expect(decrypted.map(Self.told) == inClear.map(Self.told))
        #expect(decrypted.count > 5)
        let session = try #require(result.sessions.first).record
        let clear = try #require(twin.sessions.first).record
        #expect(session.kind == clear.kind)
        #expect(session.decryptedWith == ["\(name).keys"])
        #expect(session.streams.count >= clear.streams.count)
        for (stream, other) in zip(result.streams, twin.streams) {
            #expect(stream.encoding == other.encoding && stream.mediaType == other.mediaType)
        }
        // All but those on addresses and on octets in the clear.
        let rules = Set(result.findings.map(\.rule))
        #expect(rules.isDisjoint(with: ["RTMP-KEY-CLEAR", "SIG-CLEAR", "RTSP-AUTH-CLEAR"]))
        let hellos = result.events.filter { $0.message.protocolName == "tls" }
        #expect(hellos.map(\.message.kind) == ["clientHello", "serverHello"])
        // Like the connection itself, they precede the session of a call.
        let connect = try #require(result.events.first { $0.message.protocolName == "tcp" })
        #expect(hellos.allSatisfy { $0.session == connect.session && $0.decrypted == nil })
        #expect(log.usedConnections == 1 && log.mismatches.isEmpty)
        #expect(result.summaries.map(\.encryptedFlows) == [0])
    }

    @Test("nothing changes without secrets, or with those of other connections", arguments: names)
    func unchanged(_ name: String) throws {
        let without = try Self.analyzed(name, nil)
        let other = try Self.analyzed(name, try Self.log(name == Self.names[0] ? Self.names[1] : Self.names[0]))
        #expect(without.events.map { $0.message.summary(.masked) } == other.events.map { $0.message.summary(.masked) })
        #expect(!without.events.contains { $0.decrypted != nil })
        #expect(without.sessions.flatMap(\.record.decryptedWith).isEmpty)
    }

    @Test(
        "less is told with fewer secrets, and never anything else",
        arguments: [
            "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
            "SERVER_TRAFFIC_SECRET_0",
        ])
    func fewer(_ label: String) throws {
        let whole = try Self.analyzed("rtsps-tls13", try Self.log("rtsps-tls13"))
        let part = try Self.analyzed("rtsps-tls13", try Self.log("rtsps-tls13", without: label))
        let all = whole.events.filter { $0.decrypted != nil }.map(Self.told)
        let some = part.events.filter { $0.decrypted != nil }.map(Self.told)
        #expect(some == (label.contains("HANDSHAKE") ? all : []))
        if !label.contains("HANDSHAKE") {
            #expect(part.events.last?.message.summary(.masked) == "not decrypted: a secret is missing in the key log")
        }
    }

    /// A missing packet costs its messages; the records after it are found and decrypted again.
    @Test("goes on after missing packets", arguments: ["rtsps-tls13", "rtmps-tls12-cbc", "rtmps-tls12-gcm"])
    func gaps(_ name: String) throws {
        let frames = try KeptFrame.read(Self.path("\(name).pcap"))
        let log = try Self.log(name)
        var options = AnalyzerOptions()
        options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        let whole = EditedCalls.analyzed(frames, options)
        let all = Set(whole.events.filter { $0.decrypted != nil }.map { $0.message.summary(.masked) })
        #expect(all.count > 5)
        for missing in stride(from: 12, to: frames.count - 8, by: 9) {
            let rest = Array(frames[..<missing] + frames[(missing + 1)...])
            let result = EditedCalls.analyzed(rest, options)
            let told = result.events.filter {
                $0.decrypted != nil && !["rtp", "rtcp"].contains($0.message.protocolName)
            }
            // A message of RTMP with media is shown if its length does not match.
            let messages = told.filter {
                ["request", "response", "message"].contains($0.message.kind)
                    && !$0.message.summary(.masked).contains("octets")
            }
            for event in messages { #expect(all.contains(event.message.summary(.masked)), "without \(missing)") }
            let errors = result.findings.filter { $0.severity == .error && $0.verdict == .fail }
            #expect(errors.map(\.rule) == [], "without \(missing)")
            // The end of the dialogue is there whatever was lost before.
            #expect(result.events.contains { $0.decrypted != nil && $0.frame > rest.count - 30 }, "without \(missing)")
        }
        #expect(log.mismatches.isEmpty)
    }

    /// A damaged record is missing, too, and nothing is said of the secret, nor of what the peers did not do.
    @Test("goes on after damaged records", arguments: ["rtsps-tls13", "rtmps-tls12-cbc", "rtmps-tls12-gcm"])
    func damage(_ name: String) throws {
        let frames = try KeptFrame.read(Self.path("\(name).pcap"))
        let log = try Self.log(name)
        var options = AnalyzerOptions()
        options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        for place in stride(from: frames.count / 2, to: frames.count - 12, by: 9) {
            var changed = frames
            guard let last = changed[place].octets.last, changed[place].octets.count > 100 else { continue }
            changed[place].octets[changed[place].octets.count - 1] = last ^ 1
            let result = EditedCalls.analyzed(changed, options)
            #expect(result.events.contains { $0.decrypted != nil && $0.frame > frames.count - 30 }, "\(place)")
            let errors = result.findings.filter { $0.verdict == .fail && $0.quirk == nil }
            #expect(!errors.contains { $0.rule == "RTSP-TEARDOWN" }, "\(place)")
        }
        #expect(log.mismatches.isEmpty)
    }

    /// How many missing records are searched is limited: beyond that, the rest of the connection is not decrypted.
    @Test("ends after more missing records than the limit")
    func searchLimit() throws {
        var frames = try KeptFrame.read(Self.path("rtmps-tls12-gcm.pcap"))
        frames.removeSubrange(frames.count / 2..<frames.count / 2 + 12)
        func decrypted(_ most: Int) throws -> Int {
            var options = AnalyzerOptions()
            options.limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [try Self.log("rtmps-tls12-gcm")])
            options.limits[DecryptionSettings.self].searchedRecords = most
            options.packets = true
            return EditedCalls.analyzed(frames, options).events.count {
                $0.message.kind == "message" && $0.direction == .clientToServer
            }
        }
        #expect(try decrypted(0) < decrypted(1_024))
    }

    /// The client of each connection sends two requests; the number of those that can be decrypted.
    @Test(
        "handshakes out of the ordinary",
        arguments: [
            ("tls13-retry", 2), ("tls13-key-update", 2), ("tls13-ccm", 2), ("tls12-ccm", 2), ("tls12-resumed", 4),
            ("tls13-resumed", 4), ("tls13-early-data", 4), ("tls12-renegotiation", 1), ("tls12-null-sha", 2),
            ("tls12-null-sha256", 2),
        ])
    func handshakes(_ name: String, requests: Int) throws {
        let log = try Self.log(name)
        let result = try Self.analyzed(name, log)
        // The same as without TLS, in each connection.
        let clear = try Analysis(Self.path("rtsp-options.pcap.clear")).run().events
            .filter { $0.message.protocolName != "tcp" }.map(Self.told)
        #expect(clear.count == 4)
        for flow in Set(result.events.compactMap(\.flow)) {
            let told = result.events.filter { $0.flow == flow && $0.decrypted == "tls" }.map(Self.told)
            #expect(told == Array(clear.prefix(name.contains("renegotiation") ? 2 : 4)))
        }
        for (kind, summary) in [("request", "OPTIONS rtsp://camera.weir.example/live"), ("response", "200 OK: ")] {
            let messages = result.events.filter { $0.decrypted == "tls" && $0.message.kind == kind }
            #expect(messages.count == requests)
            #expect(messages.allSatisfy { $0.message.summary(.masked).hasPrefix(summary) })
        }
        let ends = result.events.filter { $0.message.kind == "undecrypted" }.map { $0.message.summary(.masked) }
        #expect(ends == (name.contains("renegotiation") ? ["renegotiation: not decrypted from here"] : []))
        #expect(log.mismatches.isEmpty && log.usedConnections == max(1, requests / 2))
    }
}
