import WeirPackets

// Most packets of video continue the slice of the packet before them: their headers are known in advance.

extension MediaStream {
    /// Counts a packet that only continues the slice of the previous one; returns false for all others, of which it
    /// changes nothing. The result is that of `observe`, which examines everything that may be different.
    ///
    /// - Parameters:
    ///   - packet: The packet, or the beginning of it.
    ///   - length: The length of the whole packet, in octets.
    @inline(__always)
    mutating func continues(with packet: RawSpan, length: Int, at time: Timestamp, frame: Int) -> Bool {
        guard content.continuation != 0 else { return false }
        let number = lookedSequence &+ 1
        // Version 2 without padding, extension, CSRCs and marker (RFC 3550 §5.1).
        let expected = 0x80 << 56 | UInt64(payloadType) << 48 | UInt64(number) << 32 | UInt64(lastTimestamp)
        guard packet.uint64(at: 0) == expected, packet.uint32(at: 8) == ssrc, length > 14,
            packet.uint16(at: 12) == content.continuation
        else { return false }
        // Nothing but the payload of a packet in order has to be examined, and the last one's was. Not a property: its getter would
        // take a copy of the stream.
        guard hasLooked, !lastMarker, !isRedundant, turn.isEmpty, retransmission == .none,
            !isExamined || packet.byteCount == length
        else { return false }
        let delta = time.nanoseconds &- endTime.nanoseconds
        guard delta >= 0, delta <= usualDelta, time.nanoseconds < intervalEnd, sequence.isNext(number) else {
            return false
        }
        if isMeasured {
            guard arrivals.continues(lastTimestamp, at: time, within: jumpTicks) else { return false }
        }
        sequence.takeNext()
        if isExamined {
            recentContents?.note(
                number, payloadType: payloadType, timestamp: lastTimestamp, packet.clamped(RTPHeader.fixedLength))
        }
        count(number, octets: length &- RTPHeader.fixedLength, at: time, frame: frame)
        return true
    }

    /// Counts a packet in order with the timestamp and payload type of the last one, and without the marker.
    @inline(__always)
    private mutating func count(_ number: UInt16, octets: Int, at time: Timestamp, frame: Int) {
        packets &+= 1
        packetsOfType &+= 1
        payloadOctets &+= octets
        latestSequence = number
        lookedSequence = number
        endTime = time
        lastFrame = frame
    }
}
