import WeirDissectors
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
    var stream: MediaStream
    var payloadTypeBefore: UInt8 = 0
    var sequenceBefore: UInt16 = 0
    var isEnded = false

    init(
        id: Int, moment: Moment, channel: Int?, session: Session?, link: MediaLink?, because: Text?,
        stream: MediaStream
    ) {
        self.id = id
        ssrc = stream.ssrc
        flow = moment.flow
        direction = moment.direction
        source = moment.source
        destination = moment.destination
        self.channel = channel
        self.session = session
        self.link = link
        self.because = because
        self.stream = stream
    }
}

extension MediaDescription {
    /// What each payload type of the section means, by its rtpmap and fmtp (RFC 8866 §6.6, §6.15).
    var mediaFormats: [(type: UInt8, format: MediaFormat)] {
        payloadTypes.compactMap { type in
            guard let map = rtpMap(type) else { return nil }
            let format = MediaFormat(
                mediaType: self.type, encoding: map.encoding, clockRate: map.clockRate,
                parameters: formatParameters(type)?.raw ?? "")
            return (type, format)
        }
    }
}
