import WeirPackets
import WeirProtocols

/// Replaces the content of one direction of a TCP connection, by the protocols that the analysis found in it.
struct StreamRedactor {
    let text: TextRedactor
    let media: MediaRedactor
    let datagrams: DatagramRedactor
    let misfits: Misfits
    var rtp: RTPRedactor { datagrams.rtp }
    private var descriptions: DescriptionRedactor { DescriptionRedactor(text: text) }

    /// Returns a redactor for one direction of an RTMP connection.
    func rtmp(_ start: RTMPStart?) -> RTMPRedactor { RTMPRedactor(media: media, text: text, start: start) }

    /// Replaces contiguous octets.
    ///
    /// - Parameters:
    ///   - start: The place of the first octet in the connection's direction.
    ///   - rtmp: What is known of the chunk streams of an RTMP connection.
    func redact(
        _ octets: inout [UInt8], protocols: Set<String>, start: Int, _ rtmp: inout RTMPRedactor, _ noise: Noise
    ) {
        if protocols.isEmpty, octets.first == 22, octets.byte(1) == 3 {
            records(&octets, noise)
        } else if protocols.isEmpty {
            // Nobody knows what it is. No protocol has messages of this octet alone.
            octets = [UInt8](repeating: 0x7F, count: octets.count)
        } else if protocols.contains("tls") {
            records(&octets, noise)
        } else if protocols.contains("rtmpt") {
            tunneledRTMP(&octets, start, &rtmp, noise)
        } else if protocols.contains("rtmp") {
            rtmp.redact(&octets, start: start, noise)
        } else if !protocols.isDisjoint(with: ["rtsp", "http", "websocket"]) {
            messages(&octets, 0, protocols, noise)
        } else if protocols.contains("signaling") || protocols.contains("sdp") {
            descriptions.redact(&octets)
        } else if !protocols.isDisjoint(with: ["stun", "rtp", "dtls"]) {
            framed(&octets, noise)
        } else {
            media.blank(&octets, 0..<octets.count, noise)
        }
    }

    // MARK: - RTSP and HTTP

    /// Replaces the content of an RTMP connection that is tunneled in the bodies of HTTP messages.
    private func tunneledRTMP(_ octets: inout [UInt8], _ start: Int, _ rtmp: inout RTMPRedactor, _ noise: Noise) {
        var bodies: [Range<Int>] = []
        messages(&octets, 0, ["rtmpt"], noise) { bodies.append($0) }
        var chunks = bodies.flatMap { octets[$0] }
        rtmp.redact(&chunks, start: start, noise)
        var place = 0
        for range in bodies {
            octets.put(chunks[place..<place + range.count], at: range.lowerBound)
            place += range.count
        }
    }

    /// Replaces messages with heads and bodies, and interleaved frames between them.
    ///
    /// - Parameter chunks: Receives the ranges of an RTMP connection that is tunneled in bodies.
    private func messages(
        _ octets: inout [UInt8], _ start: Int, _ protocols: Set<String>, _ noise: Noise,
        chunks: (Range<Int>) -> Void = { _ in }
    ) {
        var place = start
        var heads = HeadEnds()
        while place < octets.count {
            if octets[place] == ASCII.dollar, let length = octets.uint16(place + 2), protocols.contains("rtsp") {
                let end = min(octets.count, place + 4 + Int(length))
                interleaved(&octets, min(end, place + 4)..<end, noise)
                place = end
                continue
            }
            guard HeadFields.isStartLine(octets, place), let head = heads.end(octets, place) else {
                if place == start, protocols.contains("websocket") {
                    // The capture begins after the upgrade.
                    return frames(&octets, place, protocols, noise)
                }
                // In the middle of something, or cut in a head: up to the next message.
                let next = Self.nextStart(octets, place + 1)
                if HeadFields.isStartLine(octets, place), ASCII.isPrintable(octets[place..<next]) {
                    HeadRedactor(text: text, isCut: true).redact(&octets, place..<next)
                } else {
                    unknown(&octets, place..<next, noise)
                }
                place = next
                continue
            }
            let fields = HeadFields(octets[place..<head])
            HeadRedactor(text: text).redact(&octets, place..<head)
            if fields.isUpgraded { return frames(&octets, head, protocols, noise) }
            if fields.isTunnel { return tunnel(&octets, head, fields, noise) }
            let rest = octets.count - head
            let end = head + min(rest, fields.length ?? (fields.isChunked ? rest : 0))
            if protocols.contains("rtmpt"), fields.isRTMPT {
                // A response begins with the interval for the next request.
                let isText = octets[head..<end].allSatisfy { $0 >= 0x20 && $0 < 0x7F || ASCII.isBlank($0) }
                if !isText, end - head > 1 { chunks(head + (fields.isPost ? 0 : 1)..<end) }
            } else {
                body(&octets, head..<end, fields, protocols, noise)
            }
            place = end
        }
    }

    /// Replaces the content of WebSocket frames: texts, or an RTSP connection in them.
    private func frames(_ octets: inout [UInt8], _ start: Int, _ protocols: Set<String>, _ noise: Noise) {
        let isSignaling = protocols.contains("signaling")
        WebSocketRedactor(media: media, misfits: misfits).redact(
            &octets, start, noise,
            connection: protocols.contains("rtsp") ? { messages(&$0, 0, ["rtsp"], noise) } : nil,
            message: { payload, isBinary in
                let range = 0..<payload.count
                if isSignaling, Self.isStructured(payload, range) {
                    descriptions.redact(&payload)
                } else if !isSignaling, isBinary || !ASCII.isPrintable(payload[...]) {
                    media.blank(&payload, range, noise)
                } else {
                    text.redactAll(&payload)
                }
            })
    }

    /// Whether a text is JSON, perhaps behind a prefix of digits as in Socket.IO.
    private static func isStructured(_ octets: [UInt8], _ range: Range<Int>) -> Bool {
        let first = octets[range].first { !ASCII.isBlank($0) && !ASCII.isDigit($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private func body(
        _ octets: inout [UInt8], _ range: Range<Int>, _ fields: HeadFields, _ protocols: Set<String>, _ noise: Noise
    ) {
        guard !range.isEmpty else { return }
        let isDescription = octets.part(range.lowerBound, range.lowerBound + 2).elementsEqual(Array("v=".utf8))
        if isDescription || fields.isDescription || protocols.contains("signaling") && Self.isStructured(octets, range)
        {
            descriptions.redact(&octets, range)
        } else if ASCII.isPrintable(octets[range]) {
            text.redactAll(&octets, range)
        } else {
            media.blank(&octets, range, noise)
        }
    }

    /// The content of a RTSP session that is tunneled over HTTP: of a GET's response in the clear, of a POST in base64.
    private func tunnel(_ octets: inout [UInt8], _ start: Int, _ fields: HeadFields, _ noise: Noise) {
        guard fields.isPost else { return messages(&octets, start, ["rtsp"], noise) }
        let digits = octets.indices[start...].filter { !ASCII.isBlank(octets[$0]) }
        var text = digits.map { octets[$0] }
        // Messages are encoded one by one: padding ends each.
        var from = 0
        while from < text.count {
            var end = from
            while end < text.count, text[end] != ASCII.equals { end += 1 }
            while end < text.count, text[end] == ASCII.equals { end += 1 }
            let whole = from + (end - from) / 4 * 4
            var decoded = Base64.decode(text[from..<whole])
            messages(&decoded, 0, ["rtsp"], noise)
            text.put(Array(Base64.encode(decoded).utf8).prefix(whole - from), at: from)
            if whole < end { text.put([UInt8](repeating: 0x41, count: end - whole), at: whole) }
            from = max(end, from + 1)
        }
        for (index, place) in digits.enumerated() { octets[place] = text[index] }
    }

    private func interleaved(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        if octets.byte(range.lowerBound) == 0x47 { return media.transport(&octets, range, noise) }
        guard RTPRedactor.accepts(octets, range.lowerBound) else { return media.blank(&octets, range, noise) }
        rtp.redact(&octets, range, isEncrypted: false, noise)
    }

    private func unknown(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        if ASCII.isPrintable(octets[range]) {
            text.redactAll(&octets, range)
        } else {
            media.blank(&octets, range, noise)
        }
    }

    /// Whether an interleaved frame with RTP is at a place, and another or a message behind it.
    private static func isInterleaved(_ octets: [UInt8], _ place: Int) -> Bool {
        guard let channel = octets.byte(place + 1), channel < 32, let length = octets.uint16(place + 2), length >= 8,
            RTPRedactor.accepts(octets, place + 4)
        else { return false }
        let next = octets.byte(place + 4 + Int(length))
        return next == nil || next == ASCII.dollar || next == UInt8(ascii: "R")
    }

    private static let beginnings = ["RTSP/", "HTTP/", "GET ", "POST ", "OPTIONS ", "DESCRIBE ", "TEARDOWN "].map {
        Array($0.utf8)
    }

    /// Returns the place of the next line that begins a message, or of the next interleaved frame; else the end.
    private static func nextStart(_ octets: [UInt8], _ start: Int) -> Int {
        var place = start
        while place < octets.count {
            if octets[place] == ASCII.dollar, isInterleaved(octets, place) { return place }
            if beginnings.contains(where: {
                octets[place] == $0[0] && octets.part(place, place + $0.count).elementsEqual($0)
            }) {
                return place
            }
            place += 1
        }
        return place
    }

    // MARK: - Others

    /// Replaces application data of TLS (RFC 8446 §5.1); in handshakes, texts.
    private func records(_ octets: inout [UInt8], _ noise: Noise) {
        var place = 0
        var open: HandshakeRedactor.Open?
        while let type = octets.byte(place), (20...24).contains(type), octets.byte(place + 1) == 3,
            let length = octets.uint16(place + 3)
        {
            let end = min(octets.count, place + 5 + Int(length))
            let range = min(end, place + 5)..<end
            if type == 22 { HandshakeRedactor(text: text).redact(&octets, range, &open) }
            if type == 23 { media.blank(&octets, range, noise) }
            place = end
        }
        if place < octets.count {
            // Before TLS there may be text, as of a proxy; behind a gap there is anything.
            unknown(&octets, place..<octets.count, noise)
        }
    }

    /// Replaces packets that follow their 16-bit lengths (RFC 4571), or stand alone as STUN over TCP.
    private func framed(_ octets: inout [UInt8], _ noise: Noise) {
        var place = 0
        while place < octets.count {
            if STUNRedactor.accepts(octets, place), let length = octets.uint16(place + 2) {
                let end = min(octets.count, place + 20 + Int(length))
                datagrams.redact(&octets, place..<end, protocols: ["stun", "rtp", "dtls"], noise)
                place = end
            } else if (octets[place] >> 6) == 1, let length = octets.uint16(place + 2) {
                // Channel data of TURN is padded over TCP (RFC 8656 §12.5).
                let end = min(octets.count, place + 4 + (Int(length) + 3) / 4 * 4)
                datagrams.redact(&octets, place..<end, protocols: ["stun", "rtp", "dtls"], noise)
                place = end
            } else if let length = octets.uint16(place) {
                let end = min(octets.count, place + 2 + Int(length))
                datagrams.redact(&octets, min(end, place + 2)..<end, protocols: ["stun", "rtp", "dtls"], noise)
                place = max(end, place + 2)
            } else {
                place = octets.count
            }
        }
    }
}
