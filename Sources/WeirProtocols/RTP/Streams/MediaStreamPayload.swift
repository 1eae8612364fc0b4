import WeirPackets

// Processing of packet payloads.

extension MediaStream {
    /// Parses the primary block of a redundant payload (RFC 2198).
    @inline(never)
    mutating func lookInside(
        _ payload: RawSpan, _ header: RTPHeader, _ order: PacketOrder
    ) -> (PacketFaults, PayloadContent.Sight) {
        guard let own = RedundantPayload(payload)?.blocks.last,
            let format = formats[own.type] ?? MediaFormat(staticPayloadType: own.type), !format.isSupplement
        else {
            // FEC, or an unknown payload: the next packet starts a new unit.
            return ([], .noPayload)
        }
        if innerType != own.type {
            innerType = own.type
            formats[own.type] = format
            follow(format)
        }
        // The number of samples is that of the block, not of the packet.
        if case .samples = format.payload { return ([], .nothing) }
        var order = order
        order.wireLength = own.data.count
        return content.look(payload.clamped(own.data.lowerBound, own.data.upperBound), header, order)
    }

    /// Records a picture that ended without a marker or continues after one; if a picture has several timestamps, only
    /// that is reported.
    @inline(never)
    func markerFault(_ found: PacketFaults, _ isNewTime: Bool) -> PacketFaults {
        guard isNewTime else { return PacketFaults(.markerEarly) }
        return found.contains(PacketFaults(.unitTimestamps)) ? [] : PacketFaults(.markerMissing)
    }

    /// Returns whether audio continues without silence; a packet at least a tenth of a second after the previous one
    /// may follow silence.
    @inline(never)
    func goesOn(_ timestamp: UInt32) -> Bool {
        guard let rate = jitter?.clockRate else { return false }
        return 0...rate / 10 ~= Int(Int32(bitPattern: timestamp &- lastTimestamp))
    }

    /// Applies the information found in a payload.
    @inline(never)
    mutating func note(_ sight: PayloadContent.Sight, _ news: inout StreamChanges) {
        switch sight {
        case .nothing: break
        case .noPayload: hasLooked = false
        case .telephoneEvent:
            news.insert(.telephoneEvent)
            noteUnended()
        case .recoveryPoint(let frames):
            let interval = Double(endTime.nanoseconds &- startTime.nanoseconds) / Double(max(1, timestamps))
            let wait = min(Double(frames) * interval, 1e12)
            integrity.noteRecovery(
                timestamps, shownFrom: timestamps &+ frames,
                at: Timestamp(nanoseconds: endTime.nanoseconds &+ Int64(max(0, wait))))
        case .keyframe:
            noteKeyframe(&news)
            if reports.requests.isWaiting { reports.requests.pictureCame(at: endTime) }
        }
    }

    mutating func noteKeyframe(_ news: inout StreamChanges) {
        if keyframes.count == 0, sequence.missing == 0 { content.noteFirstKeyframe(at: (lastFrame, endTime)) }
        keyframes.add(at: endTime, since: startTime, missing: sequence.missing, paused: stretches.paused)
        integrity.noteKeyframe(timestamps, at: endTime)
        news.insert(.keyframe)
    }

    /// Records the faults of a packet.
    @inline(never)
    mutating func note(broken found: PacketFaults, _ header: RTPHeader, time: Timestamp, frame: Int) {
        var found = found
        if found.contains(PacketFaults(.eventTimestamp)), !seesWholeEvents {
            found.subtract(PacketFaults(.eventTimestamp))
        }
        faults.note(found, sequence: header.sequenceNumber, time: time, frame: frame)
    }

    /// Whether no packet between the last two telephone event packets is missing: they are adjacent, or the stream has
    /// no losses so far.
    private var seesWholeEvents: Bool {
        content.telephone?.follows == true || sequence.missing == 0 && sequence.restarts == 0
    }

    /// Records a key event that was never ended by the sender, if no packet that may have ended it is missing.
    private mutating func noteUnended() {
        guard let place = content.telephone?.unended, sequence.isSettled(place.next) else { return }
        note(unended: place)
    }

    /// Ends telephone events at the end of the stream. A key without packets for that long, while the stream continued,
    /// has ended for every receiver.
    mutating func finishEvents() {
        if let place = content.telephone?.waiting { note(unended: place) }
        guard let place = content.telephone?.last, endTime.nanoseconds &- place.time.nanoseconds > Self.longestUpdate
        else { return }
        note(unended: place)
    }

    private mutating func note(unended place: TelephoneEvents.Unended) {
        guard sequence.restarts == 0 else { return }
        faults.note(.eventEnd, sequence: place.sequence, time: place.time, frame: place.frame)
    }

    /// Ten times the recommended update interval (RFC 4733 §2.5.1.2); a receiver waits for three (§2.5.2.2).
    private static let longestUpdate: Int64 = 500_000_000
}
