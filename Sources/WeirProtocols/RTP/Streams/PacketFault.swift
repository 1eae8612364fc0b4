import WeirPackets

/// Faults of single packets of a stream; each media rule checks one or several of them.
///
/// The raw value is the bit index in `PacketFaults`.
package enum PacketFault: UInt8, Sendable, Hashable, CaseIterable {
    /// A version other than 2 (RFC 3550 §5.1).
    case version
    /// CSRCs that do not fit the packet (RFC 3550 §A.1).
    case length
    /// A header extension that does not fit the packet (RFC 3550 §5.3.1).
    case extensionLength
    /// P is set, and the padding count does not fit (RFC 3550 §5.1).
    case padding
    /// Elements of a header extension that do not fit it (RFC 8285 §4.2, §4.3).
    case extensionBlock
    /// The identifier 15 in the one-byte form (RFC 8285 §4.2).
    case extensionReserved
    /// An element whose identifier no `a=extmap` maps (RFC 8285 §5).
    case extensionUnknown
    /// A payload type missing from the description.
    case payloadType
    /// A payload type between 64 and 95 on a port shared by RTP and RTCP (RFC 5761 §4).
    case payloadTypeOfRTCP
    /// A timestamp that went back by more than picture reordering explains.
    case timestampBack
    /// A timestamp that advanced further than time.
    case timestampJump
    /// A repeated sequence number with a new timestamp: the sender does not increment it (RFC 3550 §5.1).
    case numberAgain
    /// A repeated sequence number with another payload type, timestamp or payload (RFC 3550 §5.1).
    case numberReused
    /// Sequence numbers that restart under the same SSRC without a request (RFC 3550 §5.1).
    case numberingRestart
    /// An MPEG transport stream packet with an earlier timestamp than the previous one (RFC 2250 §2).
    case timestampOrder
    /// An access unit with several timestamps (RFC 6184 §5.1).
    case unitTimestamps
    /// A picture that ended without the marker (RFC 6184 §5.1).
    case markerMissing
    /// A marker before the last packet of a picture (RFC 6184 §5.1).
    case markerEarly
    /// A marker on an audio packet immediately after another one with a marker: it does not begin a talkspurt (RFC 3551
    /// §4.1).
    case markerOfSound
    /// A datagram received in IP fragments (RFC 8085 §3.2).
    case fragmentedDatagram
    /// Another source continues the sequence numbers of this one (RFC 3550 §8.2).
    case sourceChange
    /// Two sources use one SSRC (RFC 3550 §8.2).
    case collision
    /// A structure not allowed by the packetization mode (RFC 6184 §5.4).
    case packetizationMode
    /// A later fragment without the first (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case fragmentWithoutStart
    /// A first fragment without the last (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case fragmentWithoutEnd
    /// A fragment with both the start and the end bit (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case wholeFragment
    /// A fragment without a payload (RFC 6184 §5.8).
    case emptyFragment
    /// A fragment whose type or NRI differs from those before (RFC 6184 §5.8).
    case changedFragment
    /// An aggregation packet whose sizes do not add up to the payload (RFC 6184 §5.7.1, RFC 7798 §4.4.2).
    case aggregationSize
    /// An aggregation packet that contains a fragment or another aggregation packet (RFC 6184 §5.7, RFC 7798 §4.4.2).
    case nestedUnit
    /// An aggregation packet whose NRI is not the highest of its NAL units (RFC 6184 §5.7).
    case importance
    /// An aggregation packet with fewer than two NAL units (RFC 7798 §4.4.2).
    case loneUnit
    /// The `forbidden_zero_bit` is set (RFC 6184 §1.3, RFC 7798 §1.1.4).
    case forbiddenBit
    /// Start codes of the byte stream format (RFC 6184 §5.6, RFC 7798 §4.4.1).
    case startCode
    /// An undefined type (RFC 6184 §5.2, RFC 7798 §4.4).
    case undefinedType
    /// A temporal ID plus 1 of 0 (RFC 7798 §1.1.4).
    case temporalIdentifier
    /// Access unit headers that do not fit the payload (RFC 3640 §3.2.1).
    case accessUnitHeaders
    /// An AU-Index other than 0, or a delta other than 0 without interleaving (RFC 3640 §3.2.1.1).
    case accessUnitIndex
    /// A payload descriptor that does not fit (RFC 7741 §4.2, RFC 9628 §4.2), or AV1 OBU elements that do not.
    case descriptor
    /// Fields of a payload descriptor that contradict each other (RFC 9628 §4.2).
    case descriptorFields
    /// A PictureID that does not follow the previous one (RFC 7741 §4.2, RFC 9628 §4.2).
    case pictureID
    /// A first packet of a frame without the start bit (RFC 7741 §4.2, RFC 9628 §4.2).
    case frameStart
    /// A packet that begins a frame or partition while the previous one is incomplete (RFC 7741 §4.2, RFC 9628 §4.2).
    case frameStartAgain
    /// A JPEG fragment that does not begin where the previous one ended (RFC 2435 §3.1.2).
    case fragmentOffset
    /// A JPEG main header that changed within a picture (RFC 2435 §3.1).
    case changedHeader
    /// Samples that do not match the packet time, or not a whole number of them (RFC 3551 §4.2).
    case sampleCount
    /// A packet that ends within a sample (RFC 3551 §4.2).
    case sampleParts
    /// An MPEG program stream in RTP.
    case programStream
    /// An MPEG transport stream packet without the sync byte 0x47 (ETSI TR 101 290 1.1, 1.2).
    case streamSync
    /// A late or malformed program association table (1.3).
    case streamAssociation
    /// A continuity counter that is not incremented by one (1.4).
    case streamContinuity
    /// A late or malformed program map table (1.5).
    case streamMap
    /// A transport error indicator that is set (2.1).
    case streamTransport
    /// A wrong table checksum (2.2).
    case streamChecksum
    /// A late program clock reference (2.3).
    case streamClock
    /// A program clock reference that goes back or jumps (2.3).
    case streamClockJump
    /// Late presentation timestamps (2.5).
    case streamPresentation
    /// Audio frames that do not fill their packet (RFC 6716 §3.4).
    case audioFrames
    /// A telephone event that continues with another timestamp (RFC 4733 §2.5.1.2).
    case eventTimestamp
    /// A telephone event without an end packet (RFC 4733 §2.5.1.2).
    case eventEnd
    /// A LATM element whose lengths do not match the payload and its marker (RFC 6416).
    case audioMuxLength
}

/// The faults of a packet.
package struct PacketFaults: OptionSet, Sendable, Hashable {
    /// The bit set.
    package let rawValue: UInt64
    /// Creates a set from bits.
    @inline(__always)
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Creates a set with one fault.
    @inline(__always)
    package init(_ fault: PacketFault) { rawValue = 1 << UInt64(fault.rawValue) }

    /// Adds a fault.
    @inline(__always)
    package mutating func insert(_ fault: PacketFault) { formUnion(Self(fault)) }

    /// Faults that require a completely captured payload.
    static let ofWholePayloads: Self = [
        Self(.aggregationSize), Self(.emptyFragment), Self(.accessUnitHeaders), Self(.nestedUnit), Self(.importance),
        Self(.loneUnit), Self(.sampleCount), Self(.sampleParts), Self(.audioMuxLength),
    ]
}

/// The faults of a stream, with counts and first positions; one entry per fault.
package struct FaultLog: Sendable {
    /// The occurrences of one fault.
    package struct Entry: Sendable {
        /// The fault.
        package let fault: PacketFault
        /// Packets with the fault.
        package internal(set) var count = 1
        /// The first frames with the fault, in order.
        package internal(set) var frames: [Int]
        /// Time of the first packet.
        package let time: Timestamp
        /// Sequence number of the first packet.
        package let sequence: UInt16
        /// A value from the first packet, such as the payload type.
        package let detail: Int
        /// The highest such value.
        package internal(set) var highestDetail: Int

        /// The first frames as text, with an ellipsis if there are more.
        var names: String {
            let isAll = frames.count < FaultLog.namedFrames || count <= frames.count
            return frames.map(String.init).joined(separator: ", ") + (isAll ? "" : " …")
        }
    }

    /// Maximum frames listed.
    private static let namedFrames = 3

    /// The faults, in order of first occurrence.
    package private(set) var entries: [Entry] = []

    /// Creates an empty log.
    package init() {}

    /// The entry of a fault.
    package subscript(_ fault: PacketFault) -> Entry? { entries.first { $0.fault == fault } }

    /// Records all faults of a packet.
    @inline(never)
    mutating func note(_ faults: PacketFaults, sequence: UInt16, time: Timestamp, frame: Int, detail: Int = 0) {
        var left = faults.rawValue
        while left != 0 {
            let place = UInt8(truncatingIfNeeded: left.trailingZeroBitCount)
            left &= left &- 1
            guard let fault = PacketFault(rawValue: place) else { continue }
            note(fault, sequence: sequence, time: time, frame: frame, detail: detail)
        }
    }

    /// Records a fault.
    mutating func note(_ fault: PacketFault, sequence: UInt16, time: Timestamp, frame: Int, detail: Int = 0) {
        guard let index = entries.firstIndex(where: { $0.fault == fault }) else {
            entries.append(
                Entry(
                    fault: fault, frames: [frame], time: time, sequence: sequence, detail: detail, highestDetail: detail
                ))
            return
        }
        entries[index].count &+= 1
        entries[index].highestDetail = max(entries[index].highestDetail, detail)
        if entries[index].frames.count < Self.namedFrames, entries[index].frames.last != frame {
            entries[index].frames.append(frame)
        }
    }
}
