import WeirEngine
import WeirPackets

/// Recognizes signaling in JSON at the start of a TCP connection.
///
/// JSON alone proves nothing: databases, logs and remote procedure calls use it as well. A connection is recognized
/// once one of its texts contains a session description or an ICE candidate; earlier texts are buffered.
enum SignalingProbe {
    static func look(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let limits = opening.flow.limitsReference
        let profile = limits.values[SignalingSettings.self].profile
        if let profile, profile.port != nil, profile.covers(opening.flow) { return .yes }
        let isLate = opening.flow.startsLate
        let client = look(opening.client, isLate: isLate, limits)
        if client == .yes { return .yes }
        let server = look(opening.server, isLate: isLate, limits)
        if server == .yes { return .yes }
        // A side without data so far may still send JSON.
        if client == .no, server == .no || opening.server.byteCount == 0 { return .no }
        return server == .no && opening.client.byteCount == 0 ? .no : .needMore
    }

    private static func look(_ bytes: RawSpan, isLate: Bool, _ limits: LimitsReference) -> ProbeAnswer {
        guard bytes.byteCount > 0 else { return .needMore }
        var start = 0
        while let octet = bytes.byte(at: start), JSONReader.isBlank(octet) { start &+= 1 }
        if let octet = bytes.byte(at: start), !SignalingReader.opens(octet) { start = 0 }
        let most = limits.values[SignalingLimits.self].headerOctets
        guard let text = SignalingReader.firstText(bytes, from: start, within: most) else {
            if isLate { return search(bytes, limits.values) }
            // A header may be longer than the octets available; it is not text.
            return bytes.byteCount &- start <= most && !isWords(bytes, start) ? .needMore : .no
        }
        if text > start, !isLate {
            let known = bytes.byteCount &- text
            var extent = JSONExtent()
            switch extent.end(bytes, from: text) {
            case .end(let end):
                let length = end &- text
                let fits = (0...2).contains { trail in
                    LengthHeader.infer(bytes, from: start, text: text, length: length &+ trail) != nil
                }
                guard fits else { return .no }
            case .needMore:
                guard
                    LengthHeader.mayFit(
                        bytes, from: start, text: text, atLeast: known, atMost: limits.values.messageOctets)
                else { return .no }
            case .none: return .no
            }
        }
        if !isLate, text == start, !isPlausible(bytes, text) { return .no }
        guard SignalingContents.mayHoldContents(bytes) else {
            return isLate ? lateAnswer(bytes, limits.values) : .needMore
        }
        return search(bytes, limits.values)
    }

    /// Whether the opening bracket can start a JSON text.
    private static func isPlausible(_ bytes: RawSpan, _ start: Int) -> Bool {
        var extent = JSONExtent()
        if case .none = extent.end(bytes, from: start) { return false }
        return true
    }

    /// Whether the first octets are letters: a line-based protocol, or a banner.
    private static func isWords(_ bytes: RawSpan, _ start: Int) -> Bool {
        var letters = 0
        while letters < 4, let octet = bytes.byte(at: start &+ letters), ASCII.isLetter(octet) { letters &+= 1 }
        return letters == 4
    }

    /// Searches for a text with a description or a candidate, at any position.
    private static func search(_ bytes: RawSpan, _ limits: Limits) -> ProbeAnswer {
        var reader = SignalingReader(framing: nil, limits: limits)
        var offset = 0
        while offset < bytes.byteCount {
            let found = reader.search(bytes, from: offset)
            guard found.isFound else { break }
            let start = SignalingReader.firstText(bytes, from: found.offset, within: 8) ?? found.offset
            var extent = JSONExtent()
            guard case .end(let end) = extent.end(bytes, from: start) else { break }
            if isSignaling(bytes.clamped(start, end), limits) { return .yes }
            offset = end
        }
        return lateAnswer(bytes, limits)
    }

    /// Returns the answer for the middle of a stream of any content: without JSON, it waits only as long as other
    /// protocols.
    private static func lateAnswer(_ bytes: RawSpan, _ limits: Limits) -> ProbeAnswer {
        if bytes.byteCount < limits.probeOctets { return .needMore }
        return SignalingReader.firstText(bytes, from: 0, within: limits.probeOctets) != nil ? .needMore : .no
    }

    /// Whether a text contains a description or a candidate.
    static func isSignaling(_ bytes: RawSpan, _ limits: Limits) -> Bool {
        guard SignalingContents.mayHoldContents(bytes) else { return false }
        let text = JSONText(bytes, limits: limits[JSONLimits.self])
        guard let value = text.value else { return false }
        return SignalingContents(value, limits: limits).items.contains { item in
            switch item.content {
            case .description, .candidate: true
            case .endOfCandidates, .brokenCandidate: false
            }
        }
    }
}
