import WeirEngine
import WeirPackets

/// A media stream, where it was seen, and what it belongs to.
final class MediaEntry {
    let id: Int
    let ssrc: UInt32
    let flow: Int
    let direction: Direction
    /// The interleaved channel; nil over UDP.
    let channel: Int?
    let source: Endpoint
    let destination: Endpoint
    /// The session that it belongs to.
    let session: Session?
    /// Which medium it was set up for.
    let link: MediaLink?
    /// Why it is believed to be media.
    let because: Text?
    /// Where its figures are kept while it is open; -1 afterwards.
    private(set) var stream: Int32
    /// Place of its flow in the table.
    let flowIndex: Int
    var payloadTypeBefore: UInt8 = 0
    /// Time and sequence number of the last packet, once it has ended.
    private var lastTime = Timestamp(nanoseconds: 0)
    private var lastSequence: UInt16 = 0
    var isEnded: Bool { stream < 0 }

    init(
        id: Int, ssrc: UInt32, stream: Int32, moment: Moment, channel: Int?, state: FlowState, session: Session?,
        link: MediaLink?
    ) {
        self.id = id
        self.ssrc = ssrc
        self.stream = stream
        flow = moment.flow
        flowIndex = state.index
        direction = moment.direction
        source = moment.source
        destination = moment.destination
        self.channel = channel
        self.session = session
        self.link = link
        because = state.because
    }

    /// Ends it with these figures.
    func end(_ last: MediaStream) {
        stream = -1
        lastTime = last.endTime
        lastSequence = last.latestSequence
    }

    /// Time of the last packet.
    func endTime(_ streamEnd: (Int32) -> Timestamp) -> Timestamp { isEnded ? lastTime : streamEnd(stream) }

    /// Sequence number of the last packet.
    func latestSequence(_ streams: Slab<MediaStream>) -> UInt16 {
        isEnded ? lastSequence : streams[stream].latestSequence
    }
}

/// What tells the streams of a flow apart.
struct MediaKey {
    let ssrc: UInt32
    /// The interleaved channel; -1 over UDP.
    let channel: Int32
    let direction: Direction
    /// Where the figures are kept; -1 when it has ended.
    var stream: Int32
}

extension MediaDescription {
    /// Whether its profile encrypts media: SAVP or SAVPF (RFC 3711 §12, RFC 5124). Keys in a description are for these
    /// only (RFC 4568 §6): beside another profile they do not encrypt.
    var isEncrypted: Bool { TextSyntax.uppercased(proto).split(separator: "/").contains { $0.hasPrefix("SAVP") } }

    /// What each payload type of the section means, by its rtpmap and fmtp (RFC 8866 §6.6, §6.15), or what it means
    /// everywhere (RFC 3551 §6) when it is encrypted.
    func mediaFormats(isEncrypted: Bool) -> [(type: UInt8, format: MediaFormat)] {
        payloadTypes.compactMap { type in
            if let map = rtpMap(type) {
                let parameters = formatParameters(type)?.raw ?? ""
                // AirPlay gives the rate of AppleLossless as the last number of a=fmtp.
                let isAppleLossless =
                    map.clockRate == nil && ASCII.equalIgnoringCase(map.encoding, "AppleLossless")
                let clockRate =
                    isAppleLossless ? parameters.split(separator: " ").last.flatMap { Int($0) } : map.clockRate
                let format = MediaFormat(
                    mediaType: self.type, encoding: map.encoding, clockRate: clockRate, parameters: parameters,
                    isEncrypted: isEncrypted)
                return (type, format)
            }
            guard isEncrypted, let known = MediaFormat(staticPayloadType: type) else { return nil }
            let format = MediaFormat(
                mediaType: known.mediaType, encoding: known.encoding, clockRate: known.clockRate, isEncrypted: true)
            return (type, format)
        }
    }
}
