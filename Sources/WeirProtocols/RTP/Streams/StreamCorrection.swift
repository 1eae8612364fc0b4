import WeirPackets

// Recovery by FEC and redundancy, and the effect of lost packets on pictures.

extension MediaStream {
    /// The clock rate of telephone events, for a stream with nothing else.
    var telephoneClockRate: Int? { formats.all.first { $0.payload == .telephoneEvent }?.clockRate }

    /// Parses what an FEC or redundant packet recovers; returns its sequence number if there is any.
    @inline(never)
    func protected(_ header: RTPHeader, _ payload: RawSpan) -> [ProtectedNumbers] {
        guard let format = formats[header.payloadType] else { return [] }
        if format.correction == .redundant { return redundant(header, payload) }
        guard format.correction == .parity else { return [] }
        if format.isFlexible { return ErrorCorrection.flexible(payload, sources: Int(header.csrcCount)) }
        let protected = format.isMatrix ? ErrorCorrection.matrix(payload) : ErrorCorrection.generic(payload)
        return protected.map { [$0] } ?? []
    }

    /// Returns whether a packet contains only FEC and no media, with or without redundancy (RFC 2198).
    @inline(never)
    func isCorrection(_ header: RTPHeader, _ payload: RawSpan) -> Bool {
        guard formats[header.payloadType]?.correction == .redundant else { return true }
        let own = RedundantPayload(payload)?.blocks.last
        return own.map { formats[$0.type]?.correction == .parity } ?? false
    }

    /// Returns the FEC in a redundant payload (RFC 2198), and the packets whose payloads it repeats. The distance of a
    /// block follows from its timestamp if timestamps advance evenly, otherwise from its position.
    private func redundant(_ header: RTPHeader, _ payload: RawSpan) -> [ProtectedNumbers] {
        guard let blocks = RedundantPayload(payload)?.blocks else { return [] }
        var protected: [ProtectedNumbers] = []
        let step = Int(Int32(bitPattern: header.timestamp &- lastTimestamp))
        for (index, block) in blocks.enumerated() {
            if formats[block.type]?.correction == .parity {
                let data = payload.clamped(block.data.lowerBound, block.data.upperBound)
                if let found = ErrorCorrection.generic(data) { protected.append(found) }
            } else if block.offset > 0, !block.data.isEmpty {
                let isEven = step > 0 && Int(block.offset) % step == 0
                let back = isEven ? Int(block.offset) / step : blocks.count &- 1 &- index
                let number = header.sequenceNumber &- UInt16(truncatingIfNeeded: back)
                protected.append(ProtectedNumbers(numbers: [number]))
            }
        }
        return protected
    }

    /// Returns the pictures around a gap; called before the packet after it is parsed.
    @inline(never)
    func hole(_ header: RTPHeader, _ payload: RawSpan) -> PictureGap {
        PictureGap(
            picture: timestamps, isInside: header.timestamp == lastTimestamp,
            // FEC follows the pictures that it protects.
            endsBefore: lastMarker || retransmission == .parity || retransmission == .redundant,
            continuesBehind: payload.byteCount > 0 && continuesPicture(payload, header.payloadType))
    }

    /// Returns whether a payload continues a picture that it does not begin, as far as its first octets show.
    private func continuesPicture(_ payload: RawSpan, _ type: UInt8) -> Bool {
        switch formats[type]?.payload {
        case .h264:
            guard let first = payload.byte(at: 0), let second = payload.byte(at: 1) else { return false }
            switch first & 0x1F {
            // A later fragment; a slice that is not the first.
            case 28, 29: return second & 0x80 == 0
            case 1, 5: return second & 0x80 == 0
            default: return false
            }
        case .h265:
            guard let first = payload.byte(at: 0), let third = payload.byte(at: 2) else { return false }
            switch first >> 1 & 0x3F {
            case 49: return third & 0x80 == 0
            case 0...31: return third & 0x80 == 0
            default: return false
            }
        case .vp8: return VP8Payload(payload).map { !$0.startsFrame } ?? false
        case .vp9: return VP9Payload(payload).map { !$0.startsFrame } ?? false
        case .av1: return AV1Payload(payload)?.continuesUnit ?? false
        case .h266: return H266Payload(payload).map { $0.packetType == 29 && !$0.startsUnit } ?? false
        case .jpeg: return JPEGPayload(payload).map { $0.offset > 0 } ?? false
        default: return false
        }
    }
}
