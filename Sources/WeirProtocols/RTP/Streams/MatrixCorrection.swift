import WeirEngine
import WeirPackets

/// Error correction of transport streams in rows and columns (SMPTE 2022-1): flows beside that of the media, which nothing
/// describes but their ports.
struct MatrixCorrection {
    /// How far above the port of the media the packets of columns and rows are sent (SMPTE 2022-1).
    private static let portOffsets: [UInt16] = [2, 4]
    /// The payload type of these packets, whose SSRC is 0.
    private static let matrixType: UInt8 = 96
    /// The payload type of transport streams (RFC 3551 §6).
    private static let transportType: UInt8 = 33

    /// Transport streams by their destination.
    private var transportStreams: [Endpoint: MediaEntry] = [:]

    /// Returns the transport stream that a packet of error correction protects, by its port.
    func media(of header: RTPHeader, at place: EventContext) -> MediaEntry? {
        guard header.payloadType == Self.matrixType, header.ssrc == 0, !transportStreams.isEmpty else { return nil }
        for offset in Self.portOffsets where place.destination.port > offset {
            let port = place.destination.port &- offset
            let media = transportStreams[Endpoint(address: place.destination.address, port: port)]
            if let media, media.source.address == place.source.address { return media }
        }
        return nil
    }

    /// Records a new stream if it is a transport stream, or relates it to the one that it protects; returns its format in
    /// that case.
    mutating func relate(_ entry: MediaEntry, _ header: RTPHeader, _ place: EventContext) -> MediaFormat? {
        guard entry.channel == nil, !entry.isRelayed else { return nil }
        if header.payloadType == Self.transportType {
            transportStreams[entry.destination] = entry
            return nil
        }
        guard entry.owner == nil, let media = media(of: header, at: place) else { return nil }
        entry.original = media
        return MediaFormat(mediaType: "video", encoding: "parityfec", clockRate: 90_000, isAssumed: true)
    }

    /// Removes a stream that has ended.
    mutating func forget(_ entry: MediaEntry) {
        if transportStreams[entry.destination] === entry { transportStreams[entry.destination] = nil }
    }
}
