import WeirPackets

// The formats of payload types, and the one in use.

extension MediaStream {
    /// Sets the format of a payload type, before the first packet or at any later time.
    package mutating func configure(payloadType type: UInt8, as format: MediaFormat) {
        guard formats[type] != format, formats.count < 128 else { return }
        formats[type] = format
        if type == followedType { followedType = nil }
        if type == payloadType || packets == 0 && formats.count == 1 { use(type) }
    }

    /// Replaces the formats of encrypted payloads, which are decrypted from now on.
    mutating func decrypt(_ decrypted: [(type: UInt8, format: MediaFormat)]) {
        formats.removeAll { $0.isEncrypted }
        followedType = nil
        for (type, format) in decrypted { configure(payloadType: type, as: format) }
        if packets > 0 { use(payloadType) }
    }

    /// Switches to the format of a payload type: the announced one, or the static one (RFC 3551 §6).
    mutating func use(_ type: UInt8) {
        defer { isMeasured = measures(type) }
        followedType = type
        guard let format = formats[type] ?? MediaFormat(staticPayloadType: type) else {
            content.format = .unknown
            hasPictures = false
            hasTalkspurts = false
            isRedundant = false
            isExamined = recentContents != nil
            return
        }
        formats[type] = format
        if format.associatedType != nil {
            retransmission = .numbered
        } else if retransmission != .same {
            retransmission = format.correction
        }
        hasLooked = false
        isRedundant = format.correction == .redundant
        isExamined = isRedundant || recentContents != nil
        if isRedundant, let innerType, let inner = formats[innerType] { follow(inner) } else { follow(format) }
    }

    /// Returns the payload format of a type; unknown if it was not announced. Mutating, so that the stream is accessed in
    /// place rather than copied.
    @inline(__always)
    mutating func payloadFormat(of type: UInt8) -> RTPPayloadFormat {
        if type == payloadType, packets > 0, !isRedundant { return content.format }
        return announcedFormat(of: type)
    }

    /// Apart from the usual case, which would otherwise destroy an empty format.
    @inline(never)
    private mutating func announcedFormat(of type: UInt8) -> RTPPayloadFormat { formats[type]?.payload ?? .unknown }

    /// Starts parsing payloads of a format.
    mutating func follow(_ format: MediaFormat) {
        hasPictures = format.hasPictures
        hasTalkspurts = format.marksTalkspurts
        // Comfort noise and telephone events interrupt the audio whose clock they share.
        if !format.isSupplement, let rate = format.clockRate, arrivals.clockRate != rate {
            arrivals = Jitter(clockRate: rate) ?? .unknown
            limitSteps(of: format, clockRate: rate)
            slope.begin()
        }
        content.follow(format)
    }

    @inline(never)
    mutating func changePayloadType(_ header: RTPHeader, _ payload: RawSpan, _ news: inout StreamChanges) {
        news.insert(.payloadTypeChange)
        types.change(from: (payloadType, packetsOfType &- 1))
        packetsOfType = 1
        payloadType = header.payloadType
        use(payloadType)
        checkPayloadType(header)
        // The first FEC packet after others counts, too.
        if retransmission == .parity || retransmission == .redundant, correct(header, payload) != nil {
            news.insert(.repair)
        }
    }

    /// Checks whether the payload type of the current packet was signaled.
    mutating func checkPayloadType(_ header: RTPHeader) {
        var found: PacketFaults = []
        if !agreement.value.allows(header.payloadType) { found.insert(.payloadType) }
        if agreement.sharesPort, 64...95 ~= header.payloadType { found.insert(.payloadTypeOfRTCP) }
        guard !found.isEmpty else { return }
        note(found, header, time: endTime, frame: lastFrame, detail: Int(header.payloadType))
    }
}
