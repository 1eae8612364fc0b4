import WeirEngine
import WeirPackets

/// Passes every packet of media to an observer, and shows it as an event, if these are requested.
final class ShownPackets {
    /// The observer of all packets and their payloads.
    var tap: (any MediaTap)?
    /// Whether every packet is also reported as an event.
    private let emitsEvents: Bool
    /// The outline of the packet that is shown.
    private var outline = Lent(RecordOutline(isLabeled: false))

    /// Creates the output of packets, as events or only for an observer.
    init(emitsEvents: Bool) {
        self.emitsEvents = emitsEvents
    }

    /// Passes a packet to the observer of all packets, and emits it as an event if all are shown.
    func show(
        _ header: RTPHeader, _ bytes: RawSpan, _ entry: MediaEntry, _ place: EventContext, _ media: MediaStreams
    ) {
        if let tap { pass(header, bytes, entry, media, to: tap) }
        guard emitsEvents else { return }
        let format = media.streams.update(entry.stream) { $0.payloadFormat(of: header.payloadType) }
        if media.outlet.copiesRecords, isCopied(header, bytes, format, entry, place, media.outlet) { return }
        guard header.hasExtension else { return media.emit(RTPPacket(header, bytes, format: format), entry, place) }
        var packet = RTPPacket(header, bytes, format: format)
        packet.extensionNames = media.streams.update(entry.stream) { $0.agreement.extensions ?? [:] }
        media.emit(packet, entry, place)
    }

    /// Emits a packet whose record is a copy of that of a similar one; returns false if its event is needed.
    private func isCopied(
        _ header: RTPHeader, _ bytes: RawSpan, _ format: RTPPayloadFormat, _ entry: MediaEntry, _ place: EventContext,
        _ outlet: SessionOutlet
    ) -> Bool {
        guard entry.decryption == nil else { return false }
        let range = header.payloadRange
        let payload = RTPPayload(bytes.clamped(range.lowerBound, range.upperBound), format: format)
        var record = outline.take()
        record.clear()
        let isCopied =
            RTPPacket.outline(header, payload, &record)
            && outlet.routine(RTPPacket.self, record, at: place, entry.session, stream: entry.id)
        outline.put(consume record)
        return isCopied
    }

    private func pass(
        _ header: RTPHeader, _ bytes: RawSpan, _ entry: MediaEntry, _ media: MediaStreams, to tap: any MediaTap
    ) {
        // A retransmission without a change, as in RIST, belongs among the original ones.
        let isAgain = media.streams[entry.stream].retransmission == .same
        let id = isAgain ? entry.original.flatMap { $0.isEnded ? nil : $0.id } ?? entry.id : entry.id
        guard !bytes.isEmpty else { return tap.miss(id) }
        let format = media.streams.update(entry.stream) { $0.formats[header.payloadType] }
        let range = header.payloadRange
        let payload = bytes.clamped(range.lowerBound, range.upperBound)
        if format?.correction == .redundant, let own = RedundantPayload(payload)?.blocks.last {
            tap.take(
                id, header.carrying(own.type, own.data.count),
                payload.clamped(own.data.lowerBound, own.data.upperBound),
                media.streams[entry.stream].formats[own.type] ?? MediaFormat(staticPayloadType: own.type))
        } else {
            tap.take(id, header, payload, format)
        }
    }
}
