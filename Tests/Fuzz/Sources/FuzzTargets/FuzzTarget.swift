import Foundation
import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

/// A reader to fuzz. Any input must neither trap nor hang, and must keep the reader's guarantees.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Ethernet frames, each prefixed with a length of two octets, through the whole analysis into all reports.
    case frames
    /// Ethernet frames, likewise, of two captures that are compared in both modes, into all reports.
    case comparison
    /// Ethernet frames, likewise, of a capture that is redacted and proved.
    case redaction
    /// A capture file: pcap, pcapng, compressed or anything else.
    case capture
    /// A stream in pieces of random sizes, through the RTSP dissector; the following cases likewise.
    case rtsp
    case httpTunnel
    case http
    /// WebSocket after an upgrade with compression, and without one as in a late capture.
    case webSocket
    /// Compressed data, with bounded output.
    case deflate
    case rtmpt
    case tls
    /// A connection of TLS whose secrets are known; the first octet chooses the version and the cipher suite.
    case tlsSecrets
    /// A key log.
    case keyLog
    /// All octets in one direction.
    case rtmp
    /// RTMP messages, each prefixed with a length of two octets; the first octet is the type.
    case rtmpMessages
    case sdp
    case rtcp
    case rtp
    /// An RTP payload, in every format.
    case payload
    case signaling
    /// A JSON text and its signaling content.
    case json
    /// Datagrams of STUN, TURN, DTLS and media on one flow.
    case peers
    /// DTLS records; each datagram is prefixed with a length of two octets.
    case dtls
    /// DTLS records of a connection whose secrets are known, and SCTP packets, likewise; the first octet chooses the
    /// version and the cipher suite.
    case dtlsSecrets
    /// SRTP and SRTCP packets, each prefixed with a length of two octets, with a key of each profile; and a MIKEY
    /// message.
    case srtp
    /// A file with SRTP keys.
    case srtpKeys
    /// Datagrams of SRT on one flow.
    case srt
    /// MPEG transport stream packets, in payloads prefixed with a length of two octets.
    case transportStream
    /// RTP packets, each prefixed with a length of two octets, extracted into files of every format.
    case extract
    /// A client's stream in segments of any sizes and order; the first octets control the segmentation.
    case segments

    /// Reads the octets; returns a description of a broken guarantee, or nil.
    public func read(_ octets: [UInt8]) -> String? {
        switch self {
        case .frames: return Self.frames(octets)
        case .comparison: return Self.comparison(octets)
        case .redaction: return Self.redaction(octets)
        case .rtsp: return Self.dissect(RTSPDissector.self, octets)
        case .capture: return Self.capture(octets)
        case .rtmpt: return Self.dissect(RTMPTDissector.self, octets)
        case .tls: return Self.dissect(TLSDissector.self, octets)
        case .tlsSecrets: return Self.secrets(octets)
        case .keyLog:
            let (log, faults) = KeyLog.parse(octets, source: "keys")
            return log.count > octets.count || faults.count > octets.count + 1 ? "more secrets than octets" : nil
        case .httpTunnel: return Self.dissect(HTTPTunnelDissector.self, octets)
        case .http: return Self.dissect(HTTPDissector.self, octets)
        case .webSocket:
            return Self.dissect(WebSocketDissector.self, octets, preface: Self.upgrade)
                ?? Self.dissect(WebSocketDissector.self, octets)
        case .deflate:
            var inflater = Inflater(keepsWindow: true)
            for piece in Self.pieces(octets) {
                guard let made = try? inflater.inflate(Array(piece), upTo: 50_000) else { continue }
                if made.octets.count > 50_000 || made.used > piece.count { return "\(made.octets.count) octets made" }
            }
            return nil
        case .rtmp: return Self.dissect(RTMPDissector.self, octets, oneWay: true)
        case .rtmpMessages: return Self.dissect(RTMPDissector.self, Self.chunks(octets), oneWay: true)
        case .sdp: return Self.dissect(SDPDissector.self, octets)
        case .rtcp: return Self.dissect(RTCPDissector.self, octets)
        case .rtp: return Self.dissect(RTPDissector.self, octets)
        case .signaling: return Self.dissect(SignalingDissector.self, octets)
        case .json:
            let text = JSONText(octets.rawSpan)
            for message in SignalingMessage.all(text, SignalingCarriage(), Limits()) { Self.show(message) }
            return text.octets <= octets.count ? nil : "\(text.octets) of \(octets.count) octets"
        case .peers: return Self.dissect(PeerDissector.self, octets)
        case .dtls:
            var reader = DTLSReader()
            for (index, piece) in Self.pieces(octets).enumerated() {
                for message in reader.read(Array(piece).rawSpan, isFromClient: index % 2 == 0) { Self.show(message) }
            }
            return nil
        case .dtlsSecrets: return Self.dtlsSecrets(octets)
        case .srtp: return Self.decrypt(octets)
        case .srt: return Self.dissect(SRTDissector.self, octets)
        case .srtpKeys:
            let (file, faults) = SRTPKeyFile.parse(octets, source: "keys")
            let lines = octets.count { $0 == 0x0A } + 1
            return file.count + faults.count <= lines ? nil : "\(file.count) keys in \(lines) lines"
        case .transportStream:
            var stream = TransportStream()
            for (index, piece) in Self.pieces(octets).enumerated() {
                _ = stream.take(Array(piece).rawSpan, at: Timestamp(nanoseconds: Int64(index) * 10_000_000))
                _ = stream.take(joining: Array(piece.dropFirst()).rawSpan, at: Timestamp(nanoseconds: .max))
                if index % 7 == 6 { stream.lose() }
            }
            _ = DVBText.decoded(octets[...])
            _ = TransportStreamDescriptors(octets[...])
            var information = ServiceInformation()
            if ServiceInformation.isRead(octets, pid: 0x11, network: 0x10) { _ = information.take(octets, limit: 32) }
            if ServiceInformation.isRead(octets, pid: 0x10, network: 0x10) { _ = information.take(octets, limit: 32) }
            return stream.tables.isEmpty == stream.programs.isEmpty && stream.fields.isEmpty == (stream.packets == 0)
                ? nil : "a table without programs"
        case .extract: return Self.extract(octets)
        case .segments: return Self.frames(Self.segments(octets))
        case .payload:
            for name in Self.encodings {
                let parameters = "mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3"
                let format = RTPPayloadFormat(encoding: name, parameters: parameters)
                if let header = try? RTPHeader(octets.rawSpan) {
                    Self.show(RTPPacket(header, octets.rawSpan, format: format))
                }
                _ = RTPPayload(octets.rawSpan, format: format)
            }
            _ = H264SequenceParameterSet(octets.rawSpan)
            return nil
        }
    }

    private static let encodings = [
        "H264", "H265", "H266", "VP8", "VP9", "AV1", "JPEG", "MPEG4-GENERIC", "MP4A-LATM", "PCMU", "L16", "OPUS",
        "MP2T", "MPA",
    ]

    /// Decrypts packets with a key of each profile: what is in the clear is never longer than what was encrypted.
    private static func decrypt(_ octets: [UInt8]) -> String? {
        _ = MIKEYMessage(octets)
        for (index, profile) in SRTPProfile.all.enumerated() {
            let secret = [UInt8](repeating: 7, count: profile.keyOctets + profile.saltOctets)
            guard
                let key = SRTPKey(
                    profile, secret: secret, identifierOctets: index % 3, rate: UInt64(index % 2) * 16)
            else { return "no key of \(profile.name)" }
            var receiver = SRTPAuthentication(most: 4)
            receiver.recordObserved([key])
            var reports = SRTCPReceiver()
            reports.recordObserved([key], most: 4)
            for (number, piece) in pieces(octets).enumerated() {
                let packet = Array(piece)
                let time = Timestamp(nanoseconds: Int64(number) * 10_000_000)
                if let header = try? RTPHeader(packet.rawSpan) {
                    let clear = receiver.take(
                        packet.rawSpan, header: header.headerLength, sequence: header.sequenceNumber, frame: number,
                        time: time)
                    if let clear, clear.count > packet.count { return "\(clear.count) octets of \(packet.count)" }
                }
                if let clear = reports.open(packet.rawSpan), clear.octets.count > packet.count {
                    return "\(clear.octets.count) octets of \(packet.count) in a report"
                }
            }
        }
        return nil
    }

    /// Counts written octets: each packet may grow only by a constant factor.
    private final class Written: MediaFile {
        var octets = 0
        func write(_ some: [UInt8]) { octets += some.count }
        func patch(_ patch: FilePatch) {}
        func close() {}
    }

    private static func extract(_ octets: [UInt8]) -> String? {
        for (index, name) in encodings.enumerated() {
            let file = Written()
            let extractor = MediaExtractor(isWanted: { _ in true }, open: { _, _ in file })
            let parameters = "mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190"
            let format = MediaFormat(
                mediaType: nil, encoding: name, clockRate: 90_000, parameters: parameters, channels: 1 + index % 2)
            for piece in pieces(octets) {
                let packet = Array(piece)
                guard let header = try? RTPHeader(packet.rawSpan) else { continue }
                let range = header.payloadRange
                extractor.take(1, header, packet.rawSpan.clamped(range.lowerBound, range.upperBound), format)
            }
            extractor.end(1, isEncrypted: false, format)
            if file.octets > 64 * octets.count + 100_000 {
                return "\(file.octets) octets of \(octets.count) in \(name)"
            }
        }
        return nil
    }

    /// Frames of a connection to the RTSP port. The first 16 octets control the size of segments, their direction, and
    /// which are dropped, retransmitted or swapped.
    private static func segments(_ octets: [UInt8]) -> [UInt8] {
        let plan = octets.prefix(16)
        var frames: [[UInt8]] = []
        var sequences: [UInt32] = [1, 1]
        func add(_ side: Int, _ flags: UInt8, _ payload: ArraySlice<UInt8>, back: UInt32 = 0) {
            let ends: [UInt8] = side == 0 ? [192, 0, 2, 1, 192, 0, 2, 2] : [192, 0, 2, 2, 192, 0, 2, 1]
            let length = 40 + payload.count
            var frame: [UInt8] =
                Array(repeating: 2, count: 12) + [8, 0, 0x45, 0, UInt8(length >> 8), UInt8(length & 255)]
            frame += [UInt8(frames.count >> 8 & 255), UInt8(frames.count & 255), 0, 0, 64, 6, 0, 0] + ends
            frame += side == 0 ? [0x9C, 0x40, 0x02, 0x2A] : [0x02, 0x2A, 0x9C, 0x40]
            for number in [sequences[side] &- back, sequences[1 - side]] {
                frame += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
            }
            frame += [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0]
            frames.append(frame + payload)
        }
        add(0, 0x02, [])
        add(1, 0x12, [])
        var offset = plan.count
        var step = 0
        while offset < octets.count, step < 1_000 {
            let how = plan.isEmpty ? 0 : plan[step % plan.count]
            let end = min(octets.count, offset + 1 + Int(how & 31) * Int(how & 31) + step % 5)
            let side = Int(how >> 7)
            add(side, 0x18, octets[offset..<end])
            if how & 0x60 == 0x20 { frames.swapAt(frames.count - 1, frames.count - 2) }
            if how & 0x60 == 0x60 { frames.removeLast() }
            sequences[side] &+= UInt32(end - offset)
            if how & 0x60 == 0x40 { add(side, 0x18, octets[offset..<end], back: UInt32(end - offset)) }
            offset = end
            step += 1
        }
        return frames.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
    }

    /// A WebSocket upgrade with compression: request and response.
    private static var upgrade: [any Message] {
        [
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
        ].compactMap { text in
            let octets = Array(text.utf8)
            guard case .complete(let headers) = HeaderBlock.parse(octets.rawSpan) else { return nil }
            return HTTPMessage(headers)
        }
    }

    /// Splits octets into pieces, each prefixed with a length of two octets.
    public static func pieces(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var offset = 0
        while offset + 2 <= octets.count {
            let length = Int(octets[offset]) << 8 | Int(octets[offset + 1])
            let end = min(octets.count, offset + 2 + length)
            pieces.append(octets[offset + 2..<end])
            offset = end
        }
        return pieces
    }

    /// A handshake, then each piece as a message in one chunk.
    private static func chunks(_ octets: [UInt8]) -> [UInt8] {
        var stream = [3] + [UInt8](repeating: 0, count: 3_072)
        stream += [2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 1, 0, 0]
        for piece in pieces(octets) {
            guard let type = piece.first else { continue }
            let length = piece.count - 1
            stream += [3, 0, 0, 0, 0, UInt8(length >> 8), UInt8(length & 255), type, 1, 0, 0, 0]
            stream += piece.dropFirst()
        }
        return stream
    }

    private static func frames(_ octets: [UInt8]) -> String? {
        var options = AnalyzerOptions()
        options.packets = true
        let english = ReportOptions(plugins: BuiltIn.plugins)
        var chinese = english
        chinese.language = .chinese
        let text = MemoryOutput()
        let json = MemoryOutput()
        let reports: [any Report] = [
            TextReport(chinese, output: text), JSONReport(english, version: "fuzz", output: json),
        ]
        for report in reports {
            let analyzer = Analyzer(options: options, sink: RuleEngine(rules: BuiltIn.rules, sink: report))
            analyzer.begin(CaptureRecord(file: "fuzz", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
            for (index, piece) in pieces(octets).enumerated() {
                let frame = Array(piece)
                let info = FrameInfo(
                    number: index + 1, time: Timestamp(nanoseconds: Int64(index) * 7_000_000),
                    capturedLength: frame.count, originalLength: frame.count, linkType: .ethernet)
                analyzer.process(Frame(info: info, bytes: frame.rawSpan))
            }
            analyzer.finish()
            report.finish()
        }
        // Equal input must give equal reports, with and without the fast path.
        let record = self.record(octets, options)
        guard record == self.record(octets, options) else { return "two runs, two reports" }
        options.hasFastPaths = false
        guard record == self.record(octets, options) else { return "another report without the fast path" }
        guard decodesEqually(octets) else { return "another unit layer by layer" }
        let isSteered = text.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
        return isSteered ? "a control character in the text" : nil
    }

    /// Whether decoding in one go, layer by layer, and after recognition by the headers give the same results.
    private static func decodesEqually(_ octets: [UInt8]) -> Bool {
        var (usual, layers) = (PacketDecoder(), PacketDecoder())
        var classifier = PacketClassifier(limits: Limits(), verifyChecksums: true)
        for piece in pieces(octets) {
            let frame = Array(piece)
            let info = FrameInfo(
                number: 1, time: Timestamp(nanoseconds: 0), capturedLength: frame.count, originalLength: frame.count,
                linkType: .ethernet)
            let found = usual.finds(Frame(info: info, bytes: frame.rawSpan))
            guard found == layers.decodeLayers(Frame(info: info, bytes: frame.rawSpan)),
                !found || "\(usual.unit)" == "\(layers.unit)"
            else { return false }
            guard found, !usual.unit.isReassembled else { continue }
            // The first enters the flow, the second its headers, by which the third is recognized.
            for _ in 0..<3 {
                let frame = Frame(info: info, bytes: frame.rawSpan)
                guard classifier.take(frame.info, frame.bytes) else { return false }
                classifier.table[classifier.lookup.index].path.turn(to: .ignored)
                classifier.complete(frame)
                guard "\(classifier.decoder.unit)" == "\(usual.unit)" else { return false }
            }
        }
        return usual.counters == layers.counters
    }

    /// The timeline of frames as NDJSON.
    private static func record(_ octets: [UInt8], _ options: AnalyzerOptions) -> [UInt8] {
        let output = MemoryOutput()
        let report = NDJSONReport(ReportOptions(plugins: BuiltIn.plugins), output: output)
        let analyzer = Analyzer(options: options, sink: RuleEngine(rules: BuiltIn.rules, sink: report))
        analyzer.begin(CaptureRecord(file: "fuzz", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for (index, piece) in pieces(octets).enumerated() {
            let frame = Array(piece)
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: Int64(index) * 7_000_000),
                capturedLength: frame.count, originalLength: frame.count, linkType: .ethernet)
            analyzer.process(Frame(info: info, bytes: frame.rawSpan))
        }
        analyzer.finish()
        report.finish()
        return output.octets
    }

    /// Reads a capture file to its end or to the first damage.
    private static func capture(_ octets: [UInt8]) -> String? {
        let path =
            NSTemporaryDirectory() + "/weir-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        guard (try? Data(octets).write(to: URL(fileURLWithPath: path))) != nil else { return "no temporary file" }
        defer { try? FileManager.default.removeItem(atPath: path) }
        var number = 0
        do throws(CaptureError) {
            var file = try CaptureFile(path)
            while let frame = try file.next() {
                number += 1
                guard frame.info.number == number else { return "frame \(frame.info.number) is the \(number)th" }
                guard frame.bytes.byteCount == frame.info.capturedLength else {
                    return "a frame has other octets than it says"
                }
                if number > 100_000 { return nil }
            }
        } catch {
            // Damage is reported with its frame.
            if let frame = error.frame, frame != number + 1 {
                return "damaged in frame \(frame), \(number) came before"
            }
        }
        return nil
    }

    private static func show(_ message: any Message) {
        _ = message.summary(.masked)
        _ = message.summary(.revealed)
        _ = message.fields(.masked)
        _ = message.note
    }
}

extension FuzzTarget {
    /// Feeds the TLS dissector with the start of a connection whose secrets are known, then with the octets.
    private static func secrets(_ octets: [UInt8]) -> String? {
        let random = [UInt8](repeating: 7, count: 32)
        let digits = String(repeating: "07", count: 32)
        let lines = [
            ("CLIENT_RANDOM", 48), ("CLIENT_EARLY_TRAFFIC_SECRET", 32), ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 32),
            ("SERVER_HANDSHAKE_TRAFFIC_SECRET", 32), ("CLIENT_TRAFFIC_SECRET_0", 32), ("SERVER_TRAFFIC_SECRET_0", 32),
        ].map { "\($0.0) \(digits) \(String(repeating: "5a", count: $0.1))\n" }
        let (log, _) = KeyLog.parse(Array(lines.joined().utf8), source: "keys")
        var limits = Limits()
        limits[DecryptionSettings.self].keys = DecryptionKeys(logs: [log])
        let choice = Int(octets.first ?? 0)
        let suites: [[UInt8]] = [
            [0x13, 1], [0x13, 3], [0x13, 4], [0xC0, 0x2F], [0xCC, 0xA8], [0xC0, 0x27], [0xC0, 0xA0], [0, 0x3B],
        ]
        let suite = suites[choice % suites.count]
        let version: [UInt8] = suite[0] == 0x13 ? [0, 43, 0, 2, 3, 4] : []
        let early: [UInt8] = choice & 0x40 == 0 ? [] : [0, 42, 0, 0]
        let mac: [UInt8] = choice & 0x80 == 0 ? [] : [0, 22, 0, 0]
        func hello(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
            [22, 3, 3, 0, UInt8(body.count + 4), type, 0, 0, UInt8(body.count)] + body
        }
        let client = hello(
            1, [3, 3] + random + [0, 0, 2] + suite + [1, 0, 0, UInt8(early.count)] + early)
        let server = hello(
            2, [3, 3] + random + [0] + suite + [0, 0, UInt8(version.count + mac.count)] + version + mac)
        return dissect(
            TLSDissector.self, octets, limits: limits,
            opening: [(.clientToServer, client), (.serverToClient, server)])
    }

    /// Feeds a dissector as the analyzer does: unconsumed octets are passed again with the following ones.
    private static func dissect(
        _ type: any Dissector.Type, _ octets: [UInt8], oneWay: Bool = false, preface: [any Message] = [],
        limits: Limits = Limits(), opening: [(direction: Direction, octets: [UInt8])] = []
    ) -> String? {
        let address = IPAddress(ipv4: 0xC000_0201)
        let carrier = type.descriptor.carriers.contains(.tcp) ? TransportProtocol.tcp : .udp
        var flow = FlowContext(
            id: 1, transport: carrier, client: Endpoint(address: address, port: 40_000),
            server: Endpoint(address: address, port: 554), startsLate: octets.count % 3 == 0,
            limits: limits)
        flow.preface = preface
        let none: [UInt8] = []
        let answers = [
            type.probe(FirstBytes(client: octets.rawSpan, server: none.rawSpan, flow: flow)),
            type.probe(FirstBytes(client: none.rawSpan, server: octets.rawSpan, flow: flow)),
        ]
        if let first = octets.first, !flow.startsLate, preface.isEmpty,
            !type.firstOctets(onUsualPort: type.descriptor.ports.contains(flow.server.port)).contains(first),
            answers != [.no, .no]
        {
            return "recognizes an opening that starts with \(first)"
        }
        var dissector = type.init(flow: flow)
        for (direction, octets) in opening {
            let outlet = Outlet()
            _ = try? dissector.read(octets.rawSpan, direction, outlet)
            if let broken = check(outlet, octets.count) { return broken }
        }
        var waiting: [UInt8] = []
        var offset = 0
        var state = UInt32(truncatingIfNeeded: octets.count)
        while offset < octets.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            let end = min(octets.count, offset + Int(state >> 20) % 1_500 + 1)
            let isClient = (oneWay ? UInt32(truncatingIfNeeded: octets.count) << 16 : state) & 0x10000 == 0
            let direction: Direction = isClient ? .clientToServer : .serverToClient
            waiting += octets[offset..<end]
            offset = end
            let outlet = Outlet()
            if state >> 29 == 0 {
                dissector.readCut(waiting.rawSpan, direction, outlet)
                dissector.gap(direction, octets: Int(state & 0x3FF), outlet)
                waiting = []
                continue
            }
            guard let used = try? dissector.read(waiting.rawSpan, direction, outlet) else {
                waiting = Array(waiting.dropFirst())
                continue
            }
            guard used >= 0, used <= waiting.count else { return "used \(used) of \(waiting.count) octets" }
            if let broken = check(outlet, waiting.count) { return broken }
            waiting = carrier == .udp ? [] : Array(waiting.dropFirst(used))
            if waiting.count > 1 << 20 { waiting = [] }
        }
        dissector.finish(Outlet())
        return nil
    }

    private static func check(_ outlet: Outlet, _ count: Int) -> String? {
        for item in outlet.items {
            let range: Range<Int>?
            switch item {
            case .message(let message, let place):
                show(message)
                // A message may start in octets of an earlier call.
                range = max(0, place.lowerBound)..<max(0, place.upperBound)
            case .packet(let packet): range = packet.range
            case .payload(_, let place): range = place
            case .remark(let remark): range = remark.range
            case .earlier(let earlier):
                show(earlier.message)
                range = nil
            case .content(_, _, let place): range = place
            case .tunnel, .join, .stream, .streamGap, .carried, .carriedGap, .become, .leave, .stopped, .layer,
                .layerSource, .contentGap, .resume:
                range = nil
            }
            if let range, range.lowerBound < 0 || range.upperBound > count {
                return "octets \(range) of \(count)"
            }
        }
        return nil
    }
}
