import WeirPackets

/// The parsed payload contents of a stream, by format.
package struct PayloadContent: Sendable {
    /// Information found in a payload, besides faults.
    enum Sight: Equatable {
        case nothing
        /// The packet has no payload, or was kept without it before its format was known.
        case noPayload
        case keyframe
        /// A recovery point: pictures are correct after so many more, whatever was lost before.
        case recoveryPoint(frames: Int)
        /// A completed telephone event.
        case telephoneEvent
    }

    /// The first octets of a payload that continues the slice of the last one; 0 if there is none.
    private(set) var continuation: UInt16 = 0
    /// MPEG-4 access units that began.
    package private(set) var accessUnits = 0
    /// The format of the current payload type.
    var format = RTPPayloadFormat.unknown { didSet { continuation = 0 } }
    /// H.264 access units; nil for other formats.
    package private(set) var h264: H264AccessUnits?
    /// H.265 access units; nil for other formats.
    @BoxedIfAny package private(set) var h265: H265AccessUnits?
    /// Pictures of other supported video formats; otherwise nil.
    @BoxedIfAny package private(set) var pictures: VideoFrames?
    /// The MPEG transport stream in the payloads; nil for other formats.
    @BoxedIfAny package var transportStream: TransportStream?
    /// LATM elements; nil for other formats.
    @BoxedIfAny private var audioMux: AudioMuxElements?
    /// The durations of Opus packets.
    private(set) var opus = OpusDurations()
    /// Telephone events; nil for other formats.
    @BoxedIfAny package private(set) var telephone: TelephoneEvents?
    /// The last completed telephone event.
    private(set) var latestTelephoneEvent: TelephoneEvents.Event?
    private let limits: TransportStreamLimits
    /// The timestamp of the last packet of a transport stream.
    private var packetTime: UInt32 = 0

    /// Creates contents without a format.
    init(_ limits: TransportStreamLimits) {
        self.limits = limits
    }

    /// Processes the end of the stream.
    mutating func finish() { latestTelephoneEvent = telephone?.finish() }

    /// Records packets that were given up as lost.
    mutating func lose(_ gap: SequenceTracker.Gap) { telephone?.lose(gap) }

    /// Records the first key frame, if no packet before it is missing.
    mutating func noteFirstKeyframe(at place: ParameterSetLog.Place) {
        if format == .h264 { h264?.noteFirstKeyframe(at: place) }
        if format == .h265 { h265?.noteFirstKeyframe(at: place) }
    }

    /// Starts parsing payloads of a format.
    mutating func follow(_ format: MediaFormat) {
        self.format = format.payload
        switch format.payload {
        case .h264:
            if h264 == nil { h264 = H264AccessUnits() }
            if !format.isAssumed { h264?.announce(mode: format.packetizationMode ?? 0) }
            if !format.parameterSets.isEmpty { h264?.announce(format.parameterSets) }
        case .h265:
            if h265 == nil {
                let difference = format.parameter("sprop-max-don-diff").flatMap { Int($0) } ?? 0
                h265 = H265AccessUnits(hasOrderNumbers: difference > 0)
            }
            if !format.parameterSets.isEmpty { h265?.announce(format.parameterSets) }
        case .vp8, .vp9, .av1, .jpeg, .h266, .mpeg4Video: if pictures == nil { pictures = VideoFrames() }
        case .audioMux: if audioMux == nil { audioMux = AudioMuxElements(format) }
        case .telephoneEvent: if telephone == nil { telephone = TelephoneEvents() }
        default: break
        }
    }

    /// Parses a payload and returns its faults and the information found.
    @inline(__always)
    mutating func look(_ bytes: RawSpan, _ header: RTPHeader, _ order: PacketOrder) -> (PacketFaults, Sight) {
        switch format {
        case .unknown, .opaque: return ([], .nothing)
        case .samples(let size):
            let isOdd = size.unit > 1 && header.payloadLength % size.unit != 0
            let isOther = size.packet > 0 && header.payloadLength != size.packet
            var found: PacketFaults = []
            if isOdd || isOther { found.insert(.sampleCount) }
            if isOdd { found.insert(.sampleParts) }
            return (found, .nothing)
        // Only the RTP header contains the transmission time.
        case .transportStream: return (lookAtTransportStream(bytes, order), .nothing)
        default: return bytes.byteCount > 0 ? open(bytes, header, order) : ([], .noPayload)
        }
    }

    private mutating func open(_ bytes: RawSpan, _ header: RTPHeader, _ order: PacketOrder) -> (PacketFaults, Sight) {
        // Not read while one of the formats is changed.
        let format = format
        var isKeyframe = false
        var found: PacketFaults = []
        switch format {
        case .unknown, .opaque, .samples, .transportStream: return ([], .nothing)
        case .h264:
            if continuation != 0, bytes.uint16(at: 0) == continuation, bytes.byteCount > 2, order.isNext,
                !order.isNewUnit, !order.isTorn
            {
                return ([], .nothing)
            }
            guard let payload = H264Payload(bytes) else { return ([], .nothing) }
            let entry = observeUnits(payload, bytes, order, &found)
            if case .recovery(let frames) = entry {
                return (order.isWhole ? found : found.subtracting(.ofWholePayloads), .recoveryPoint(frames: frames))
            }
            isKeyframe = entry == .keyframe
        case .h265:
            isKeyframe = _h265.update { $0.observe(bytes, order) } ?? false
            found = _h265.update { $0.faults } ?? []
        case .vp8, .vp9, .av1, .jpeg, .h266, .mpeg4Video:
            isKeyframe = _pictures.update { $0.observe(bytes, format, order) } ?? false
            found = _pictures.update { $0.faults } ?? []
        case .mpeg4Generic(let sizes): return (lookAtAccessUnits(bytes, sizes, order), .nothing)
        case .audioMux:
            accessUnits &+= _audioMux.update { $0.observe(bytes, order) } ?? 0
            found = _audioMux.update { $0.faults } ?? []
        case .opus:
            let isSound = order.isWhole && OpusPacket.isWellFormed(bytes)
            opus.observe(bytes, isSound: isSound, header.sequenceNumber, order)
            return (order.isWhole && !isSound ? PacketFaults(.audioFrames) : [], .nothing)
        case .telephoneEvent:
            latestTelephoneEvent = _telephone.update { $0.observe(bytes, header, order) } ?? nil
            let found = _telephone.update { $0.faults } ?? []
            return (found, latestTelephoneEvent == nil ? .nothing : .telephoneEvent)
        case .programStream:
            return (bytes.uint32(at: 0) == 0x0000_01BA ? PacketFaults(.programStream) : [], .nothing)
        }
        return (order.isWhole ? found : found.subtracting(.ofWholePayloads), isKeyframe ? .keyframe : .nothing)
    }

    /// Processes a payload of H.264, in one access, and adds its faults.
    @inline(__always)
    private mutating func observeUnits(
        _ payload: H264Payload, _ bytes: RawSpan, _ order: PacketOrder, _ faults: inout PacketFaults
    ) -> H264AccessUnits.Entry {
        continuation = 0
        guard let result = h264?.observe(payload, bytes, order, &continuation, &faults) else { return .nothing }
        return result
    }

    /// Counts the access units of RFC 3640 in a payload.
    private mutating func lookAtAccessUnits(
        _ bytes: RawSpan, _ sizes: AccessUnitHeaderSizes, _ order: PacketOrder
    ) -> PacketFaults {
        guard let units = AccessUnitHeaders(bytes, sizes) else {
            return order.isWhole ? PacketFaults(.accessUnitHeaders) : []
        }
        // All fragments of an access unit have the timestamp of its first packet (RFC 3640 §3.2.3.1).
        if !units.isFragment || order.isNewUnit { accessUnits &+= units.count }
        guard order.isWhole else { return [] }
        var found: PacketFaults = []
        // The marker ends an access unit, whose first packet is then complete (RFC 3640 §3.1).
        let endsShort = units.isFragment && order.marker && order.isNewUnit && order.isNext
        if units.disagrees || endsShort { found.insert(.accessUnitHeaders) }
        if !sizes.allowsInterleaving, units.index != 0 || units.isInterleaved { found.insert(.accessUnitIndex) }
        return found
    }

    /// Parses the transport stream in the payloads. RTP timestamps are transmission times.
    private mutating func lookAtTransportStream(_ bytes: RawSpan, _ order: PacketOrder) -> PacketFaults {
        var found: PacketFaults = []
        // The marker indicates a timestamp discontinuity.
        if order.isNext, !order.marker, Int32(bitPattern: order.timestamp &- packetTime) < 0 {
            found.insert(.timestampOrder)
        }
        packetTime = order.timestamp
        guard order.isWhole else {
            // Counters, tables and clocks in the truncated part are lost.
            _transportStream.update { $0.lose() }
            return found
        }
        if !_transportStream.hasValue {
            transportStream = TransportStream(limits: limits)
        } else if !order.isNext {
            _transportStream.update { $0.lose() }
        }
        if let broken = _transportStream.update({ $0.take(bytes, at: order.time) }), !broken.isEmpty {
            found.formUnion(PacketFaults(broken))
        }
        return found
    }

    static let transportFaults: [(TransportStream.Faults, PacketFault)] = [
        (.sync, .streamSync), (.association, .streamAssociation), (.continuity, .streamContinuity),
        (.map, .streamMap), (.transport, .streamTransport), (.checksum, .streamChecksum), (.clock, .streamClock),
        (.presentation, .streamPresentation), (.clockJump, .streamClockJump),
    ]
}
