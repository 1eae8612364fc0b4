import WeirPackets

// What error correction and redundancy make good, and what lost packets do to pictures.

extension MediaStream {
    /// The clock of telephone events, where the stream has nothing else.
    var telephoneClockRate: Int? { formats.values.first { $0.payload == .telephoneEvent }?.clockRate }

    /// Reads what a packet of error correction, or one with redundancy, makes good; its own number when that is anything.
    @inline(never)
    func protected(_ header: RTPHeader, _ payload: RawSpan) -> [ProtectedNumbers] {
        guard let format = formats[header.payloadType] else { return [] }
        if format.correction == .redundant { return redundant(header, payload) }
        guard format.correction == .parity else { return [] }
        if format.isFlexible { return ErrorCorrection.flexible(payload, sources: Int(header.csrcCount)) }
        return ErrorCorrection.generic(payload).map { [$0] } ?? []
    }

    /// Whether a packet is one of error correction and has no media of its own, inside redundancy (RFC 2198) or not.
    @inline(never)
    func isCorrection(_ header: RTPHeader, _ payload: RawSpan) -> Bool {
        guard formats[header.payloadType]?.correction == .redundant else { return true }
        let own = RedundantPayload(payload)?.blocks.last
        return own.map { formats[$0.type]?.correction == .parity } ?? false
    }

    /// Of a payload with redundancy (RFC 2198): error correction in it, and the packets whose payloads it has again. How far
    /// back one is shows by its timestamp, where that moves on evenly; else by its place.
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

    /// What the packets around a hole show of pictures; asked before the packet behind it is looked at.
    @inline(never)
    func hole(_ header: RTPHeader, _ payload: RawSpan) -> PictureHole {
        PictureHole(
            picture: timestamps, isInside: header.timestamp == lastTimestamp,
            // Error correction follows the pictures that it protects.
            endsBefore: lastMarker || retransmission == .parity || retransmission == .redundant,
            continuesBehind: payload.byteCount > 0 && continuesPicture(payload, header.payloadType))
    }

    /// Whether a payload goes on with a picture that it does not begin, as far as its first octets tell.
    private func continuesPicture(_ payload: RawSpan, _ type: UInt8) -> Bool {
        switch formats[type]?.payload {
        case .h264:
            guard let first = payload.byte(at: 0), let second = payload.byte(at: 1) else { return false }
            switch first & 0x1F {
            // A later fragment; a slice whose first macroblock is not 0.
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
