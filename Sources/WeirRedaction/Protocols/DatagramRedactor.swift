import WeirPackets

/// Replaces the content of a UDP datagram, by the protocols that the analysis found in its flow.
struct DatagramRedactor {
    let rtp: RTPRedactor
    let stun: STUNRedactor
    let text: TextRedactor
    let media: MediaRedactor
    /// Marks a flow with encrypted media among the names of its protocols.
    static let encrypted = "srtp"
    /// Datagrams inside of datagrams that are followed: TURN carries one; more is not real.
    private static let deepest = 4
    /// Zeros at the start of what no dissector recognized.
    private static let zeros = 8

    /// Replaces the content of a datagram in a range.
    func redact(
        _ octets: inout [UInt8], _ range: Range<Int>, protocols: Set<String>, depth: Int = 0, _ noise: Noise
    ) {
        guard let first = octets.byte(range.lowerBound), !range.isEmpty else { return }
        if protocols.isEmpty || depth > Self.deepest {
            // No protocol begins so; what follows tells packets apart that were different.
            let start = min(range.upperBound, range.lowerBound + Self.zeros)
            octets.put([UInt8](repeating: 0, count: start - range.lowerBound), at: range.lowerBound)
            noise.fill(&octets, (start..<range.upperBound).clamped(to: 0..<octets.count))
        } else if STUNRedactor.accepts(octets, range.lowerBound) {
            stun.redact(&octets, range) { inner(&$0, $1, protocols, depth, noise) }
        } else if protocols.contains("srt") {
            SRTRedactor(text: text, media: media).redact(&octets, range, noise)
        } else if (0x40...0x7F).contains(first), protocols.contains("stun"),
            let length = octets.uint16(range.lowerBound + 2)
        {
            let start = range.lowerBound + 4
            inner(
                &octets, min(range.upperBound, start)..<min(range.upperBound, start + Int(length)), protocols, depth,
                noise)
        } else if (20...63).contains(first), !protocols.isDisjoint(with: ["dtls", "stun"]) {
            records(&octets, range, noise)
        } else if RTPRedactor.accepts(octets, range.lowerBound),
            !protocols.isDisjoint(with: ["rtp", "rtcp", "stun", "dtls"])
        {
            rtp.redact(
                &octets, range, isEncrypted: protocols.contains("dtls") || protocols.contains(Self.encrypted), noise)
        } else if first == 0x47, range.count % 188 == 0 {
            media.transport(&octets, range, noise)
        } else if !protocols.isDisjoint(with: ["signaling", "sdp", "rtsp"]) {
            DescriptionRedactor(text: text).redact(&octets, range)
        } else if range.count > 1 {
            media.blank(&octets, range, noise)
        }
    }

    /// Replaces a datagram inside of a TURN message.
    private func inner(
        _ octets: inout [UInt8], _ range: Range<Int>, _ protocols: Set<String>, _ depth: Int, _ noise: Noise
    ) {
        guard !range.isEmpty else { return }
        redact(&octets, range, protocols: protocols.union(["stun", "rtp", "dtls"]), depth: depth + 1, noise)
    }

    /// Replaces encrypted records of DTLS (RFC 6347 §4.1); in handshakes, texts.
    private func records(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        var place = range.lowerBound
        while place + 13 <= range.upperBound, let length = octets.uint16(place + 11) {
            let end = min(range.upperBound, place + 13 + Int(length))
            if octets[place] == 23 { media.blank(&octets, place + 13..<end, noise) }
            if octets[place] == 22, octets.uint16(place + 3) == 0 {
                HandshakeRedactor(text: text).redactDatagram(&octets, place + 13..<end)
            }
            place = end
        }
    }
}

/// Replaces the content of SRT packets.
struct SRTRedactor {
    let text: TextRedactor
    let media: MediaRedactor

    /// Replaces payload of data packets and stream ids.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>, _ noise: Noise) {
        let start = range.lowerBound
        guard range.count >= 16, let first = octets.uint32(start) else { return media.blank(&octets, range, noise) }
        guard first >> 31 == 0 else {
            if first == 0x8000_0000 { extensions(&octets, start + 64, range.upperBound) }
            return
        }
        let payload = start + 16..<range.upperBound
        // The key flags of an encrypted packet.
        let isEncrypted = (octets.byte(start + 4) ?? 0) & 0x18 != 0
        if isEncrypted {
            media.blank(&octets, payload, noise)
        } else {
            media.transport(&octets, payload, noise)
        }
    }

    /// Replaces the stream id among the extensions of a handshake; its octets are reversed in each word.
    private func extensions(_ octets: inout [UInt8], _ start: Int, _ end: Int) {
        var place = start
        while let type = octets.uint16(place), let words = octets.uint16(place + 2), place + 4 <= end {
            let stop = min(end, place + 4 + 4 * Int(words))
            if type == 5 || type == 6 {
                var plain = Self.reversed(Array(octets[place + 4..<stop]))
                text.redact(&plain)
                octets.put(Self.reversed(plain), at: place + 4)
            }
            place = stop
        }
    }

    private static func reversed(_ octets: [UInt8]) -> [UInt8] {
        stride(from: 0, to: octets.count, by: 4).flatMap { octets[$0..<min($0 + 4, octets.count)].reversed() }
    }
}
