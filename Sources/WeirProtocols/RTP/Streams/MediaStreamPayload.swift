import WeirPackets

// What is made of the payload of a packet.

extension MediaStream {
    /// Looks into the packet's own block of a payload with redundancy (RFC 2198).
    @inline(never)
    mutating func lookInside(
        _ payload: RawSpan, _ header: RTPHeader, _ order: PacketOrder
    ) -> (PacketFaults, PayloadContent.Sight) {
        guard let own = RedundantPayload(payload)?.blocks.last,
            let format = formats[own.type] ?? MediaFormat(staticPayloadType: own.type), !format.isSupplement
        else {
            // Error correction, or nothing that is known: what comes next goes on with something else.
            return ([], .noPayload)
        }
        if innerType != own.type {
            innerType = own.type
            formats[own.type] = format
            follow(format)
        }
        // How many samples there are shows by the block, not by the packet.
        if case .samples = format.payload { return ([], .nothing) }
        var order = order
        order.wireLength = own.data.count
        return content.look(payload.clamped(own.data.lowerBound, own.data.upperBound), header, order)
    }

    /// A picture ended without a marker, or goes on behind one; where one picture has several timestamps, that says it all.
    @inline(never)
    func markerFault(_ found: PacketFaults, _ isNewTime: Bool) -> PacketFaults {
        guard isNewTime else { return PacketFaults(.markerEarly) }
        return found.contains(PacketFaults(.unitTimestamps)) ? [] : PacketFaults(.markerMissing)
    }

    /// Whether sound goes on without a silence: what begins a tenth of a second and more behind the packet before may have been
    /// silent in between.
    @inline(never)
    func goesOn(_ timestamp: UInt32) -> Bool {
        guard let rate = jitter?.clockRate else { return false }
        return 0...rate / 10 ~= Int(Int32(bitPattern: timestamp &- lastTimestamp))
    }

    /// Takes note of what a payload brought.
    @inline(never)
    mutating func note(_ sight: PayloadContent.Sight, _ news: inout StreamChanges) {
        switch sight {
        case .nothing: break
        case .noPayload: hasLooked = false
        case .telephoneEvent: news.insert(.telephoneEvent)
        case .keyframe:
            noteKeyframe(&news)
            if reports.requests.isWaiting { reports.requests.pictureCame(at: endTime) }
        }
    }

    mutating func noteKeyframe(_ news: inout StreamChanges) {
        keyframes.add(at: endTime, since: startTime, missing: sequence.missing, paused: stretches.paused)
        integrity.noteKeyframe(timestamps, at: endTime)
        news.insert(.keyframe)
    }
}
