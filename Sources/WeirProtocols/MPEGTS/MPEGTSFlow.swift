package import WeirEngine
package import WeirPackets

/// The transport streams of a flow: one per direction and, when interleaved with RTSP (RFC 2326 §10.12), channel. All
/// bodies of HTTP messages in one direction are one stream.
package final class MPEGTSFlow: PacketReader {
    private let flow: FlowState
    private let outlet: SessionOutlet
    private let taps: PieceTaps
    private var streams: [MPEGTSStream] = []

    init(_ flow: FlowState, _ outlet: SessionOutlet) {
        self.flow = flow
        self.outlet = outlet
        taps = outlet.shared(PieceTaps.self)
    }

    /// Returns whether a datagram begins with the sync byte 0x47.
    package func accepts(_ datagram: RawSpan) -> Bool { datagram.byte(at: 0) == TransportStream.syncByte }

    package func read(_ packet: RawSpan, _ arrival: PacketArrival) {
        guard let index = index(arrival.at.direction, arrival.channel) ?? begin(packet, arrival) else { return }
        // An empty packet marks a gap.
        guard packet.byteCount > 0 else { return streams[index].lose() }
        // Mutated in place: copying its tables for each datagram would be expensive.
        streams[index].take(packet, arrival)
        owner?.transportStreamArrived(streams[index].medium, at: arrival.at.time)
        guard let tap = taps.tap else { return }
        let id = streams[index].id
        var piece = MediaPiece(
            stream: id, file: id, encoding: MPEGTSStream.encoding, ending: "ts", octets: packet.array())
        piece.isWhole = packet.byteCount == arrival.wireLength
        tap.take(piece)
    }

    private func index(_ direction: Direction, _ channel: Int?) -> Int? {
        streams.firstIndex { $0.last.direction == direction && $0.carrier.channel == channel }
    }

    /// Starts a stream with its first packet, or returns nil: other datagrams on the flow do not start one.
    private func begin(_ packet: RawSpan, _ arrival: PacketArrival) -> Int? {
        let carrier = carrier(arrival.channel)
        guard accepts(packet), carrier != .datagrams || arrival.wireLength % TransportStream.packetLength == 0,
            streams.count < outlet.limits.streamsPerFlow
        else { return nil }
        // The capture may begin within a session.
        if arrival.channel != nil { _ = outlet.lateSession(of: flow) }
        if carrier != .datagrams { flow.addProtocol("mpegts") }
        let medium = arrival.channel.flatMap { owner?.medium(ofChannel: $0) } ?? flow.claim?.claim.purpose
        let stream = MPEGTSStream(
            outlet.newStream(), arrival.at, carrier, medium: medium, outlet.options.limits)
        streams.append(stream)
        owner?.streams.append(stream.id)
        if let channel = arrival.channel { owner?.noteChannel(channel, isRTCP: false, frame: arrival.at.frame) }
        let packets = arrival.wireLength / TransportStream.packetLength
        emit(MPEGTSStart(packets: packets, carrier: carrier), stream.id, arrival.at)
        return streams.count - 1
    }

    private func carrier(_ channel: Int?) -> MPEGTSCarrier {
        if let channel { return .frames(channel: channel) }
        return flow.transport == .tcp ? .bodies : .datagrams
    }

    /// The session that set up the stream.
    private var owner: (any MediaOwner)? { (flow.claim?.owner ?? flow.session)?.mediaOwner }
    private var session: Session? { flow.claim?.owner ?? flow.session }

    package func readAgain(_ packet: RawSpan, _ direction: Direction) {
        if let index = index(direction, nil) { streams[index].captureDuplicates &+= 1 }
    }

    package func finish(at frame: FrameInfo) {
        for stream in streams {
            taps.tap?.end(piecesOf: stream.id, lacksOctets: stream.carrier != .datagrams && flow.lacksOctets)
            let end = MPEGTSEnd(packets: stream.packets, seconds: stream.seconds, carrier: stream.carrier)
            emit(end, stream.id, stream.last)
            if stream.transportStream?.hasMore == true { outlet.reach("limit.programs") }
            outlet.emit(
                StreamRecord(
                    id: stream.id, kind: "mpegts", flow: flow.id, direction: stream.last.direction,
                    source: stream.last.source, destination: stream.last.destination, session: session?.id,
                    mediaType: "video", encoding: MPEGTSStream.encoding, startTime: stream.startTime,
                    endTime: stream.last.time, lastFrame: stream.last.frame,
                    sawDrops: outlet.sawDrops(since: stream.startTime), details: stream),
                session)
        }
        streams = []
    }

    private func emit(_ message: any Message, _ stream: Int, _ place: EventContext) {
        var event = outlet.event(message, at: place)
        event.stream = stream
        outlet.emit(event, session)
    }
}
