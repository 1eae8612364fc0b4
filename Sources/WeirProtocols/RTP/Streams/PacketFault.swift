import WeirPackets

/// What single packets of a stream break; each rule of media judges one or several of these.
///
/// The raw value is the place of the fault in `PacketFaults`.
package enum PacketFault: UInt8, Sendable, Hashable, CaseIterable {
    /// Another version than 2 (RFC 3550 §5.1).
    case version
    /// CSRCs that do not fit the packet (RFC 3550 §A.1).
    case length
    /// A header extension that does not fit the packet (RFC 3550 §5.3.1).
    case extensionLength
    /// P is set, and the last octet counts no padding that fits (RFC 3550 §5.1).
    case padding
    /// Elements of a header extension that do not fit it (RFC 8285 §4.2, §4.3).
    case extensionBlock
    /// The identifier 15 in the one-byte form (RFC 8285 §4.2).
    case extensionReserved
    /// An element whose identifier no `a=extmap` names (RFC 8285 §5).
    case extensionUnknown
    /// A payload type that the description does not name.
    case payloadType
    /// A payload type between 64 and 95 where RTP and RTCP share a port (RFC 5761 §4).
    case payloadTypeOfRTCP
    /// The timestamp went back by more than a reordering of pictures explains.
    case timestampBack
    /// The timestamp moved on further than time did.
    case timestampJump
    /// A number that was there before, with a timestamp that had not come yet: the sender does not count (RFC 3550 §5.1).
    case numberAgain
    /// The timestamp of a packet of an MPEG transport stream is earlier than that of the packet before (RFC 2250 §2).
    case timestampOrder
    /// One access unit, several timestamps (RFC 6184 §5.1).
    case unitTimestamps
    /// A picture ended without the marker (RFC 6184 §5.1).
    case markerMissing
    /// A packet with the marker is not the last of its picture (RFC 6184 §5.1).
    case markerEarly
    /// The marker on a packet of sound right behind one that had it: it begins no talkspurt (RFC 3551 §4.1).
    case markerOfSound
    /// A datagram that came in IP fragments (RFC 8085 §3.2).
    case fragmentedDatagram
    /// Another source goes on with the numbers of this one (RFC 3550 §8.2).
    case sourceChange
    /// Two sources use one SSRC (RFC 3550 §8.2).
    case collision
    /// A structure that the packetization mode does not allow (RFC 6184 §5.4).
    case packetizationMode
    /// A later fragment without the first (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case fragmentWithoutStart
    /// A first fragment whose last never came (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case fragmentWithoutEnd
    /// A fragment that is first and last at once (RFC 6184 §5.8, RFC 7798 §4.4.3).
    case wholeFragment
    /// A fragment without a payload (RFC 6184 §5.8).
    case emptyFragment
    /// A fragment whose type or NRI differs from those before (RFC 6184 §5.8).
    case changedFragment
    /// An aggregation packet whose sizes do not add up to the payload (RFC 6184 §5.7.1, RFC 7798 §4.4.2).
    case aggregationSize
    /// An aggregation packet that holds a fragment or another aggregation packet (RFC 6184 §5.7, RFC 7798 §4.4.2).
    case nestedUnit
    /// An aggregation packet whose NRI is not the highest of its NAL units (RFC 6184 §5.7).
    case importance
    /// An aggregation packet with fewer than two NAL units (RFC 7798 §4.4.2).
    case loneUnit
    /// The `forbidden_zero_bit` is set (RFC 6184 §1.3, RFC 7798 §1.1.4).
    case forbiddenBit
    /// Start codes of the byte stream format (RFC 6184 §5.6, RFC 7798 §4.4.1).
    case startCode
    /// A type without a meaning (RFC 6184 §5.2, RFC 7798 §4.4).
    case undefinedType
    /// A temporal identifier of 0, which stands there plus 1 (RFC 7798 §1.1.4).
    case temporalIdentifier
    /// Access unit headers that do not fit the payload (RFC 3640 §3.2.1).
    case accessUnitHeaders
    /// An AU-Index other than 0, or a delta other than 0 without interleaving (RFC 3640 §3.2.1.1).
    case accessUnitIndex
    /// A payload descriptor that does not fit (RFC 7741 §4.2, RFC 9628 §4.2), or elements of AV1 that do not.
    case descriptor
    /// Fields of a payload descriptor that contradict each other (RFC 9628 §4.2).
    case descriptorFields
    /// A PictureID that does not follow the one before (RFC 7741 §4.2, RFC 9628 §4.2).
    case pictureID
    /// The first packet of a frame that does not say so (RFC 7741 §4.2, RFC 9628 §4.2).
    case frameStart
    /// A packet that begins a frame, or a partition of it, while the one before goes on (RFC 7741 §4.2, RFC 9628 §4.2).
    case frameStartAgain
    /// A fragment of a JPEG picture that does not begin where the one before ended (RFC 2435 §3.1.2).
    case fragmentOffset
    /// A main header of JPEG that changed within a picture (RFC 2435 §3.1).
    case changedHeader
    /// Samples that do not fill the packet time, or no whole number of them (RFC 3551 §4.2).
    case sampleCount
    /// A packet that ends within a sample (RFC 3551 §4.2).
    case sampleParts
    /// MPEG-PS in RTP.
    case programStream
    /// A packet of an MPEG transport stream does not begin with 0x47 (ETSI TR 101 290 1.1, 1.2).
    case streamSync
    /// The program association table is late or broken (1.3).
    case streamAssociation
    /// A counter of a PID does not go up by one (1.4).
    case streamContinuity
    /// A program map table is late or broken (1.5).
    case streamMap
    /// The transport error indicator is set (2.1).
    case streamTransport
    /// A table's checksum is wrong (2.2).
    case streamChecksum
    /// A clock reference is late or jumps (2.3).
    case streamClock
    /// Presentation times are late (2.5).
    case streamPresentation
    /// Frames of sound that do not fill their packet (RFC 6716 §3.4).
    case audioFrames
    /// A telephone event that goes on with another timestamp (RFC 4733 §2.5.1.2).
    case eventTimestamp
    /// A telephone event without a packet that ends it (RFC 4733 §2.5.1.2).
    case eventEnd
    /// An element of LATM whose lengths do not fit the payload and its marker (RFC 6416).
    case audioMuxLength
}

/// Faults of a packet as a set.
package struct PacketFaults: OptionSet, Sendable, Hashable {
    /// The set as bits.
    package let rawValue: UInt64
    /// Creates a set from bits.
    @inline(__always)
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// A set of one.
    @inline(__always)
    package init(_ fault: PacketFault) { rawValue = 1 << UInt64(fault.rawValue) }

    /// Adds a fault.
    @inline(__always)
    package mutating func insert(_ fault: PacketFault) { formUnion(Self(fault)) }

    /// What can only be said of a payload that the capture holds to its end.
    static let ofWholePayloads: Self = [
        Self(.aggregationSize), Self(.emptyFragment), Self(.accessUnitHeaders), Self(.nestedUnit), Self(.importance),
        Self(.loneUnit), Self(.sampleCount), Self(.sampleParts), Self(.audioMuxLength),
    ]
}

/// What was found broken in a stream: how often, and where first. It holds one entry a fault.
package struct FaultLog: Sendable {
    /// How often one fault was met.
    package struct Entry: Sendable {
        /// What is broken.
        package let fault: PacketFault
        /// How many packets show it.
        package internal(set) var count = 1
        /// The first frames that show it, in order.
        package internal(set) var frames: [Int]
        /// When the first packet came.
        package let time: Timestamp
        /// Its sequence number.
        package let sequence: UInt16
        /// A number that the first packet adds, such as the payload type.
        package let detail: Int
        /// The highest of these numbers.
        package internal(set) var highestDetail: Int

        /// The first frames in words, with a sign where there are more.
        var names: String {
            let isAll = frames.count < FaultLog.namedFrames || count <= frames.count
            return frames.map(String.init).joined(separator: ", ") + (isAll ? "" : " …")
        }
    }

    /// Frames that are named.
    private static let namedFrames = 3

    /// What was found, in order of first times.
    package private(set) var entries: [Entry] = []

    /// Begins with nothing.
    package init() {}

    /// The entry of a fault.
    package subscript(_ fault: PacketFault) -> Entry? { entries.first { $0.fault == fault } }

    /// Notes all faults of a packet.
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

    /// Notes a fault.
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
