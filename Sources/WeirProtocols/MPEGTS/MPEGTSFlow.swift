package import WeirEngine
package import WeirPackets

/// The transport streams of a flow, one per direction.
package final class MPEGTSFlow: PacketReader {
    private let flow: FlowState
    private let outlet: SessionOutlet
    private let taps: PieceTaps
    private var fromClient: MPEGTSStream?
    private var fromServer: MPEGTSStream?

    init(_ flow: FlowState, _ outlet: SessionOutlet) {
        self.flow = flow
        self.outlet = outlet
        taps = outlet.shared(PieceTaps.self)
    }

    /// Returns whether a datagram begins with the sync byte 0x47.
    package func accepts(_ datagram: RawSpan) -> Bool { datagram.byte(at: 0) == 0x47 }

    package func read(_ packet: RawSpan, _ arrival: PacketArrival) {
        let isForward = arrival.at.direction == .clientToServer
        if (isForward ? fromClient : fromServer) == nil {
            // Other datagrams on the flow do not start a stream.
            guard accepts(packet), packet.byteCount % TransportStream.packetLength == 0 else { return }
            let begun = MPEGTSStream(outlet.newStream(), arrival.at, outlet.options.limits)
            emit(MPEGTSStart(packets: packet.byteCount / TransportStream.packetLength), begun.id, arrival.at)
            if isForward { fromClient = begun } else { fromServer = begun }
        }
        // Mutated in place: copying its tables for each datagram would be expensive.
        if isForward { fromClient?.take(packet, arrival) } else { fromServer?.take(packet, arrival) }
        guard let tap = taps.tap, let id = (isForward ? fromClient : fromServer)?.id else { return }
        var piece = MediaPiece(
            stream: id, file: id, encoding: MPEGTSStream.encoding, ending: "ts", octets: packet.array())
        piece.isWhole = packet.byteCount == arrival.wireLength
        tap.take(piece)
    }

    package func readAgain(_ packet: RawSpan, _ direction: Direction) {
        if direction == .clientToServer {
            fromClient?.captureDuplicates &+= 1
        } else {
            fromServer?.captureDuplicates &+= 1
        }
    }

    package func finish(at frame: FrameInfo) {
        for stream in [fromClient, fromServer] {
            guard let stream else { continue }
            taps.tap?.end(piecesOf: stream.id, lacksOctets: false)
            emit(MPEGTSEnd(packets: stream.packets, seconds: stream.seconds), stream.id, stream.last)
            if stream.transportStream?.hasMore == true { outlet.reach("limit.programs") }
            outlet.emit(
                StreamRecord(
                    id: stream.id, kind: "mpegts", flow: flow.id, direction: stream.last.direction,
                    source: stream.last.source, destination: stream.last.destination, session: flow.session?.id,
                    mediaType: "video", encoding: MPEGTSStream.encoding, startTime: stream.startTime,
                    endTime: stream.last.time, lastFrame: stream.last.frame,
                    sawDrops: outlet.sawDrops(since: stream.startTime), details: stream),
                flow.session)
        }
        (fromClient, fromServer) = (nil, nil)
    }

    private func emit(_ message: any Message, _ stream: Int, _ place: EventContext) {
        var event = outlet.event(message, at: place)
        event.stream = stream
        outlet.emit(event, flow.session)
    }
}
