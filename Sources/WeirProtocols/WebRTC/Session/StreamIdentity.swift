import WeirEngine
import WeirPackets

// Maps streams to media sections and simulcast layers.

extension WebRTCSession {
    /// Returns the media section of a stream: by its SSRC (RFC 5576 §4.1), by the `mid` in its header (RFC 9143 §15),
    /// or by a payload type that only one section has; and the layer, by the `rid` in its header (RFC 8852).
    func identify(_ header: RTPHeader, _ packet: RawSpan, at place: EventContext) -> MediaIdentity? {
        let elements = RTPHeaderExtension(header, in: packet)?.elements ?? []
        for step in [IdentityStep.source, .mid, .payloadType] {
            for (index, description) in sections.enumerated() {
                guard let medium = find(step, header, elements, in: description, index) else { continue }
                var identity = identity(medium, description, step, header, elements)
                if let before = streamBefore(header.ssrc, at: place), let because = identity.because {
                    identity.continues = before.id
                    identity.because = Text(
                        "webrtc.stream.goesOn", .text(because), .string("\(before.source) → \(before.destination)"))
                }
                return identity
            }
        }
        return nil
    }

    /// Returns the stream of the same source on another pair: ICE may change the pair at any time (RFC 8445 §12.1), and
    /// the SSRC stays the same.
    private func streamBefore(_ ssrc: UInt32, at place: EventContext) -> MediaEntry? {
        mediaStreams.last { entry in
            guard entry.ssrc == ssrc, entry.flow != place.flow else { return false }
            // A peer that echoes media may keep the SSRC.
            return entry.source.address == place.source.address
                || sender(entry.flow, entry.direction).map {
                    $0 == sender(place.flow, place.direction)
                } ?? false
        }
    }

    private func sender(_ flow: Int, _ direction: Direction) -> Int? {
        pairs.firstIndex { $0.flow == flow }.flatMap { author(of: direction, on: $0) }
    }

    /// Only if each of several bundled sections has it in the answer, with one ID (RFC 9143 §12), and the offer has it.
    var mediumElement: UInt8 {
        guard let offer = offer?.content, let answer = answer?.content else { return 0 }
        let bundle = answer.bundle
        let bundled = answer.media.filter { medium in
            medium.isRTP && !answer.isRejected(medium) && medium.mid.map(bundle.contains) ?? false
        }
        let offered = offer.media.compactMap { $0.element(.mid) }
        guard bundled.count > 1, let first = bundled.first?.element(.mid), offered.contains(first),
            bundled.allSatisfy({ $0.element(.mid) == first })
        else { return 0 }
        return UInt8(exactly: first) ?? 0
    }

    private func find(
        _ step: IdentityStep, _ header: RTPHeader, _ elements: [RTPHeaderExtension.Element],
        in description: SessionDescription, _ section: Int
    ) -> Int? {
        switch step {
        case .source: return medium(ofSource: header.ssrc, in: section)
        case .mid:
            for medium in description.media {
                guard let mid = medium.value(of: .mid, in: elements) else { continue }
                return description.media.firstIndex { $0.mid == mid }
            }
            return nil
        case .payloadType:
            let fitting = description.media.indices.filter {
                description.media[$0].isRTP && description.media[$0].payloadTypes.contains(header.payloadType)
            }
            return fitting.count == 1 ? fitting.first : nil
        }
    }

    private func medium(ofSource ssrc: UInt32, in section: Int) -> Int? {
        if readDescriptions.sources.isEmpty {
            readDescriptions.sources = sections.map { description in
                var media: [UInt32: Int] = [:]
                for (index, medium) in description.media.enumerated() {
                    for source in medium.sources where media[source.ssrc] == nil { media[source.ssrc] = index }
                }
                return media
            }
        }
        return readDescriptions.sources.indices.contains(section) ? readDescriptions.sources[section][ssrc] : nil
    }

    private func identity(
        _ index: Int, _ description: SessionDescription, _ step: IdentityStep, _ header: RTPHeader,
        _ elements: [RTPHeaderExtension.Element]
    ) -> MediaIdentity {
        let medium = description.media[index]
        var identity = MediaIdentity(medium: index)
        identity.mid = medium.mid
        identity.rid = medium.value(of: .rid, in: elements)
        identity.repairedRid = medium.value(of: .repairedRid, in: elements)
        let frame = agents.all.lazy.compactMap { $0.description == description ? $0.descriptionFrame : nil }.first
        var because = Text(
            "webrtc.stream.\(step.rawValue)", .string(medium.mid ?? medium.type), .integer(frame ?? 0))
        if let rid = identity.rid {
            because = Text("webrtc.stream.layer", .text(because), .string(rid))
        } else if let rid = identity.repairedRid {
            because = Text("webrtc.stream.repairs", .text(because), .string(rid))
        }
        identity.because = because
        return identity
    }
}

/// The property that identified the media section of a stream.
private enum IdentityStep: String {
    case source, mid, payloadType
}

/// Header extensions that identify the media section or layer of a packet.
private enum NamingExtension: String {
    case mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
    case rid = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
    case repairedRid = "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"
}

extension MediaDescription {
    /// Returns the ID of a header extension.
    fileprivate func element(_ name: NamingExtension) -> Int? {
        extensionMaps.first { $0.uri == name.rawValue }?.id
    }

    /// Returns the value of a header extension of the media section in a packet.
    fileprivate func value(
        of name: NamingExtension, in elements: [RTPHeaderExtension.Element]
    ) -> String? {
        guard !elements.isEmpty, let id = self.element(name),
            let element = elements.first(where: { Int($0.id) == id }), !element.data.isEmpty
        else { return nil }
        let text = String(decoding: element.data, as: UTF8.self)
        // A value consists of letters, digits, hyphens and underscores (RFC 8852); otherwise the ID has another
        // meaning.
        return text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F } ? text : nil
    }
}
