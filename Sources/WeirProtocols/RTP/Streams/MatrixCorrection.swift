import WeirEngine
import WeirPackets

// Error correction of transport streams in rows and columns (SMPTE 2022-1): flows beside that of the media, which nothing
// describes but their ports.

extension MediaStreams {
    /// How far above the port of the media the packets of columns and rows are sent (SMPTE 2022-1).
    private static let portOffsets: [UInt16] = [2, 4]
    /// The payload type of these packets, whose SSRC is 0.
    private static let matrixType: UInt8 = 96
    /// The payload type of transport streams (RFC 3551 §6).
    private static let transportType: UInt8 = 33

    /// Returns the transport stream that a packet of error correction protects, by its port.
    func matrixMedia(_ header: RTPHeader, at place: EventContext) -> MediaEntry? {
        guard header.payloadType == Self.matrixType, header.ssrc == 0, !transportStreams.isEmpty else { return nil }
        for offset in Self.portOffsets where place.destination.port > offset {
            let port = place.destination.port &- offset
            let media = transportStreams[Endpoint(address: place.destination.address, port: port)]
            if let media, media.source.address == place.source.address { return media }
        }
        return nil
    }

    /// Records a transport stream, or what it is protected by.
    func relateMatrix(_ entry: MediaEntry, _ header: RTPHeader, _ place: EventContext) {
        guard entry.channel == nil, !entry.isRelayed else { return }
        if header.payloadType == Self.transportType {
            transportStreams[entry.destination] = entry
        } else if entry.owner == nil, let media = matrixMedia(header, at: place) {
            entry.original = media
            let format = MediaFormat(mediaType: "video", encoding: "parityfec", clockRate: 90_000, isAssumed: true)
            streams[entry.stream].configure(payloadType: header.payloadType, as: format)
        }
    }
}
