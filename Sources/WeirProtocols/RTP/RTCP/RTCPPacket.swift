public import WeirEngine
import WeirPackets

/// An RTCP packet (RFC 3550 §6.4 – §6.7, RFC 4585 §6, RFC 3611).
public enum RTCPPacket: Sendable {
    /// Transmission statistics of a source, with reception reports.
    case senderReport(SenderReport)
    /// Reception reports.
    case receiverReport(ReceiverReport)
    /// Source description items.
    case sourceDescription(SourceDescription)
    /// Leaving sources.
    case bye(Bye)
    /// Application-specific data.
    case application(ApplicationDefined)
    /// Transport layer feedback.
    case transportFeedback(TransportFeedback)
    /// Payload-specific feedback.
    case payloadFeedback(PayloadFeedback)
    /// Extended statistics.
    case extendedReport(ExtendedReport)
    /// A packet of another type, or an encrypted one.
    case opaque(OpaqueRTCP)

    /// Returns whether the second octet of a packet indicates RTCP rather than RTP on a shared port: types 192 to 223
    /// are RTCP, since they would be payload types 64 to 95 with the marker set (RFC 5761 §4).
    @inline(__always)
    public static func isRTCP(secondOctet: UInt8) -> Bool {
        secondOctet & 0xE0 == 0xC0
    }

    /// The packet as a message for the timeline.
    public var message: any Message {
        switch self {
        case .senderReport(let report): report
        case .receiverReport(let report): report
        case .sourceDescription(let description): description
        case .bye(let bye): bye
        case .application(let data): data
        case .transportFeedback(let feedback): feedback
        case .payloadFeedback(let feedback): feedback
        case .extendedReport(let report): report
        case .opaque(let packet): packet
        }
    }

    /// The sender of the packet, if present.
    public var ssrc: UInt32? {
        switch self {
        case .senderReport(let report): report.ssrc
        case .receiverReport(let report): report.ssrc
        case .sourceDescription(let description): description.chunks.first?.ssrc
        case .bye(let bye): bye.sources.first
        case .application(let data): data.ssrc
        case .transportFeedback(let feedback): feedback.senderSSRC
        case .payloadFeedback(let feedback): feedback.senderSSRC
        case .extendedReport(let report): report.ssrc
        case .opaque(let packet): packet.ssrc
        }
    }

    /// The reception report blocks in the packet.
    public var reportBlocks: [ReportBlock] {
        switch self {
        case .senderReport(let report): report.reports
        case .receiverReport(let report): report.reports
        default: []
        }
    }

    /// Whether it is a source description with a canonical name.
    var hasCanonicalName: Bool {
        guard case .sourceDescription(let description) = self else { return false }
        return description.hasCanonicalName
    }

    /// Sets the clock rates of its reception report blocks; `rate` returns the one of a source, or nil if it is not known.
    mutating func setClocks(_ rate: (UInt32) -> Int?) {
        // Consumed, so that the report blocks are changed in place.
        switch consume self {
        case .senderReport(var report):
            report.reports.setClocks(rate)
            self = .senderReport(report)
        case .receiverReport(var report):
            report.reports.setClocks(rate)
            self = .receiverReport(report)
        case let other: self = other
        }
    }

    /// Parses the body `bytes` of a packet of type `type`; `count` is the five-bit header field.
    ///
    /// - Parameter known: The latest source descriptions of the sender, if any.
    init(
        type: UInt8, count: UInt8, _ bytes: RawSpan, known: RecentDescriptions? = nil
    ) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "RTCP")
        switch type {
        case 200: self = .senderReport(try SenderReport(&reader, count: Int(count)))
        case 201: self = .receiverReport(try ReceiverReport(&reader, count: Int(count)))
        case 202:
            if let description = known?.description(count, bytes) {
                self = .sourceDescription(description)
                return
            }
            let description = try SourceDescription(&reader, count: Int(count))
            known?.note(description, count, bytes)
            self = .sourceDescription(description)
        case 203: self = .bye(try Bye(&reader, count: Int(count)))
        case 204: self = .application(try ApplicationDefined(&reader, subtype: count))
        case 205: self = .transportFeedback(try TransportFeedback(&reader, format: count))
        case 206: self = .payloadFeedback(try PayloadFeedback(&reader, format: count))
        case 207: self = .extendedReport(try ExtendedReport(&reader))
        default:
            self = .opaque(
                OpaqueRTCP(
                    packetType: type, count: count, ssrc: bytes.uint32(at: 0), octets: bytes.byteCount &+ 4,
                    isEncrypted: false))
        }
    }
}

extension [ReportBlock] {
    /// Sets the clock rates of the blocks; `rate` returns the one of a source, or nil if it is not known.
    mutating func setClocks(_ rate: (UInt32) -> Int?) {
        for index in indices { self[index].clockRate = rate(self[index].ssrc) }
    }
}
