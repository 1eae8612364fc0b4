import WeirCapture
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// Makes a copy of a capture that can be shared: what names someone, or is secret, is replaced, and the story stays the same.
///
///     let redaction = try Redaction("camera.pcap", RedactionOptions(), MappingFile())
///     try redaction.write { output.write($0) }
///     try redaction.prove("redacted.pcap")
///
/// Everything is replaced at its length: a name by a name of as many characters, media by noise. The capture is read three times: to
/// learn what is in it, to join segments and fragments, and to write; the copy once, to prove that it has the same story.
public final class Redaction {
    /// The file.
    public let file: String
    private let options: RedactionOptions
    private let key: RedactionKey
    let words: WordMapping
    let addresses: AddressMapping
    private(set) var texts: SensitiveTexts
    let text: TextRedactor
    /// The story of the original.
    let records: StoryRecords
    private let datagrams: DatagramRedactor
    private let streams: StreamRedactor
    private let unfit = Misfits()
    /// Compressed messages for which no replacement of their length was found.
    public var misfits: Int { unfit.texts.count }
    private let media: MediaRedactor
    /// The octets of records that are compared.
    var heldOctets: Int { options.heldOctets }
    /// The protocols of flows.
    private let protocols: [EndpointPair: Set<String>]
    /// How each direction of RTMP connections begins.
    private let rtmpStarts: [FlowDirection: RTMPStart]
    private var contents: [StreamContent?] = []
    private var originals: [[UInt8]?] = []
    private var replacements: [[UInt8]?] = []
    /// Why the capture could not be read to its end.
    public private(set) var damage: CaptureError?

    /// Learns what is sensitive in a file.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened; `RedactionError` at a limit. What comes before damage is redacted.
    public init(_ file: String, _ options: RedactionOptions, _ mapping: MappingFile) throws {
        self.file = file
        self.options = options
        key = mapping.key
        words = WordMapping(key)
        addresses = AddressMapping(key, isKept: options.keepsAddresses)
        for (address, other) in mapping.addresses { addresses.add(address, other) }
        var kept: SensitiveCollector.Kept = []
        if options.keepsNames { kept.insert(.names) }
        records = StoryRecords(limit: options.heldOctets)
        let joined = Concurrent { [limit = options.heldOctets] in try JoinedContents(file, limit: limit) }
        let collector = SensitiveCollector(
            limit: options.texts, words: words, key: key, kept: kept, report: records.report)
        let damage = try StoryProof.analyze(file, collector)
        guard !collector.texts.isFull else {
            throw RedactionError.limit("more than \(options.texts) names and secrets")
        }
        var texts = collector.texts
        for (word, replacement) in mapping.words {
            texts.add(secret: word)
            words.set(word, replacement)
        }
        // A certificate with another name has another fingerprint.
        let handshake = HandshakeRedactor(
            text: TextRedactor(texts, words, addresses, keepsNames: options.keepsNames))
        for (old, new) in collector.certificates.flatMap({ handshake.fingerprints(of: $0) }) {
            texts.add(phrase: Array(old.utf8), Array(new.utf8))
        }
        self.texts = texts
        self.damage = damage
        text = TextRedactor(texts, words, addresses, keepsNames: options.keepsNames)
        media = MediaRedactor(isKept: options.keepsMedia)
        let rtp = RTPRedactor(
            media: media, text: text, encodings: collector.encodings, encrypted: collector.encrypted,
            protected: ProtectedMedia(collector.keyTexts, text))
        let text = text
        let stun = STUNRedactor(
            text: text, addresses: addresses, passwords: collector.passwords,
            newPassword: { String(decoding: text.redacted($0.utf8), as: UTF8.self) })
        datagrams = DatagramRedactor(rtp: rtp, stun: stun, text: text, media: media)
        streams = StreamRedactor(text: text, media: media, datagrams: datagrams, misfits: unfit)
        protocols = collector.protocols
        rtmpStarts = collector.rtmpStarts
        replace(try joined.wait())
        // Compressed messages have to keep their lengths: with other words, they may.
        for attempt in 1...Self.mostAttempts where !unfit.texts.isEmpty {
            // Other messages fit already: their addresses stay as long as words may do.
            if attempt % 8 == 0 { addresses.choose(attempt: attempt) }
            for text in unfit.texts {
                let words = SensitiveTexts.words(text.map(ASCII.lowercased))
                let sensitive = words.filter { texts.words.contains($0) || $0.count > 2 && !CommonWords.contains($0) }
                self.words.shorten(Set(sensitive), in: words, attempt: attempt)
            }
            replace(try JoinedContents(file, limit: options.heldOctets))
        }
    }

    private static let mostAttempts = 96

    // MARK: - Contents

    /// The addresses of fragmented datagrams.
    private var ends: [Int: (IPAddress, IPAddress, UInt8)] = [:]

    /// Replaces what segments and fragments carry, once it is joined.
    private func replace(_ joined: consuming JoinedContents) {
        (contents, originals, ends) = (joined.streams, joined.datagrams, joined.ends)
        // Otherwise the contents would be changed in a copy.
        _ = consume joined
        (replacements, unfit.texts) = ([], [])
        replaceContents()
    }

    private func replaceContents() {
        for index in contents.indices {
            guard let direction = contents[index]?.direction else { continue }
            let noise = Noise(seed: key.number("stream", Array("\(index)".utf8)))
            let names = protocols[EndpointPair(.tcp, direction.source, direction.destination)] ?? []
            var rtmp = streams.rtmp(rtmpStarts[direction])
            contents[index]?.replace { octets, start in
                streams.redact(&octets, protocols: names, start: start, &rtmp, noise)
            }
        }
        for (index, original) in originals.enumerated() {
            guard let original, let (source, destination, number) = ends[index] else {
                replacements.append(nil)
                continue
            }
            var octets = original
            if number == 17, let from = original.uint16(0), let to = original.uint16(2), original.count > 8 {
                let names = protocols[
                    EndpointPair(
                        .udp, Endpoint(address: source, port: from), Endpoint(address: destination, port: to))]
                datagrams.redact(
                    &octets, 8..<octets.count, protocols: names ?? [],
                    key.noise(for: octets.dropFirst(8)))
            } else {
                octets = [UInt8](repeating: 0, count: octets.count)
            }
            replacements.append(octets)
        }
    }

    // MARK: - Writing

    /// Writes the redacted capture, in the format of the original.
    ///
    /// - Throws: `CaptureError` if the file cannot be read.
    public func write(application: String, output: ([UInt8]) -> Void) throws(CaptureError) {
        var reader = PacketPlaces()
        do throws(CaptureError) {
            try CaptureCopy.write(
                file, as: .same, application: application,
                change: { octets, info in
                    let layout = PacketLayout(octets, info.linkType)
                    redact(&octets, layout, reader.place(octets, layout, info.time), info)
                }, output: output)
        } catch {
            guard error.frame != nil else { throw error }
        }
    }

    private func redact(
        _ octets: inout [UInt8], _ layout: PacketLayout, _ place: PacketPlaces.Found?, _ info: FrameInfo
    ) {
        let original = octets
        var whole: (old: [UInt8], new: [UInt8])?
        switch place {
        case .stream(let place, _, let range):
            if let content = contents.indices.contains(place.stream) ? contents[place.stream] : nil,
                let new = content.octets(at: place.offset, count: range.count)
            {
                octets.put(new, at: range.lowerBound)
            } else {
                octets.put([UInt8](repeating: 0, count: range.count), at: range.lowerBound)
            }
        case .fragment(let datagram, let offset, let range):
            if let old = originals[datagram], let new = replacements[datagram] {
                octets.put(new.part(offset, offset + range.count), at: range.lowerBound)
                whole = (old, new)
            }
        case nil: payload(&octets, layout, info)
        }
        PacketAddresses(mapping: addresses).replace(&octets, layout)
        Checksums.update(&octets, original: original, layout, whole: whole)
        // What is behind the packet: padding, which may have been anything.
        if layout.end < octets.count, !layout.networks.isEmpty {
            octets.put([UInt8](repeating: 0, count: octets.count - layout.end), at: layout.end)
        }
    }

    /// Replaces a payload that is complete in its packet.
    private func payload(_ octets: inout [UInt8], _ layout: PacketLayout, _ info: FrameInfo) {
        let noise = key.noise(for: octets.part(layout.payload, layout.end))
        switch layout.content {
        case .udp:
            guard let network = layout.networks.last, layout.payload < layout.end,
                let pair = PacketPlaces.pair(octets, layout, network)
            else { return }
            let range = layout.payload..<min(layout.end, octets.count)
            datagrams.redact(&octets, range, protocols: protocols[pair] ?? [], noise)
        case .icmp: icmp(&octets, layout, noise)
        case .other:
            // Not IP: headers of unknown protocols, spanning tree and the like.
            let start = min(layout.transport, octets.count)
            octets.put([UInt8](repeating: 0, count: octets.count - start), at: start)
        case .tcp, .arp, .fragment: break
        }
    }

    /// Replaces what an ICMP message quotes, or the addresses of neighbor discovery.
    private func icmp(_ octets: inout [UInt8], _ layout: PacketLayout, _ noise: Noise) {
        guard let type = octets.byte(layout.transport), let network = layout.networks.last else { return }
        let original = octets
        let place = PacketAddresses(mapping: addresses)
        let isError = network.isIPv4 ? [3, 4, 5, 11, 12].contains(type) : type < 128
        guard isError else {
            let isNeighbor = !network.isIPv4 && (133...137).contains(type)
            guard isNeighbor else {
                return octets.put([UInt8](repeating: 0, count: max(0, layout.end - layout.payload)), at: layout.payload)
            }
            if type >= 135 { place.replace(&octets, layout.payload, isIPv4: false) }
            var option = layout.payload + (type == 133 ? 0 : type == 134 ? 8 : type == 137 ? 32 : 16)
            while let kind = octets.byte(option), let units = octets.byte(option + 1), units > 0, option < layout.end {
                if kind == 1 || kind == 2 { place.replaceMAC(&octets, option + 2) }
                if kind == 3 { place.replace(&octets, option + 16, isIPv4: false) }
                option += 8 * Int(units)
            }
            return
        }
        let quoted = PacketLayout(quoted: octets, at: layout.payload)
        if case .udp = quoted.content, let inner = quoted.networks.last,
            let pair = PacketPlaces.pair(octets, quoted, inner), quoted.payload < layout.end
        {
            let range = quoted.payload..<min(layout.end, octets.count)
            datagrams.redact(&octets, range, protocols: protocols[pair] ?? [], noise)
        } else if quoted.payload < layout.end {
            octets.put([UInt8](repeating: 0, count: layout.end - quoted.payload), at: quoted.payload)
        }
        place.replace(&octets, quoted)
        Checksums.update(&octets, original: original, quoted)
    }

    /// The mapping as the text of a file.
    public var map: String { MappingFile.text(key, addresses, texts, words) }
}
