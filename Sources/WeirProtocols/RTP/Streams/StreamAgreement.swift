/// What signalling agreed on for a stream, beyond the meaning of its payload types: what packets are judged by.
package struct StreamAgreement: Sendable, Hashable {
    /// The payload types of the medium below 64 and from 64 on, as bits; both 0 when they are not known.
    private var lowTypes: UInt64 = 0
    private var highTypes: UInt64 = 0
    /// Whether RTP and RTCP share a port (`a=rtcp-mux`).
    package var sharesPort = false
    /// What `a=extmap` calls the elements of header extensions, by identifier; nil when nothing is known of them.
    package var extensions: [UInt8: String]?
    /// The sources that were announced, by Transport or `a=ssrc`; empty when none was.
    package var sources: [UInt32] = []
    /// Whether more sources, or kinds of feedback, were announced than are kept.
    package var announcesMore = false
    /// The bits in a second that who sends it said to need at most, headers of IP included (`b=AS`, RFC 8866 §5.8).
    package var bandwidth: Int?
    /// What feedback was agreed on (`a=rtcp-fb`), such as `nack pli`.
    package var feedback: Set<String> = []
    /// Whether retransmissions were agreed on (RFC 4588 §8.1), which only NACK asks for.
    package var hasRetransmission = false
    /// Whether the profile has feedback: AVPF or SAVPF (RFC 4585 §3).
    package var hasFeedbackProfile = false
    /// Whether RTCP of reduced size was agreed on (`a=rtcp-rsize`, RFC 5506 §5).
    package var hasReducedSize = false
    /// Whether the media is encrypted.
    package var isEncrypted = false
    /// Whether its payload is in the clear all the same, behind which stands an authentication tag (RFC 4568 §6.3.2).
    package var hasClearPayload = false
    /// The keys that signaling told for it: secrets.
    package var keys: [SRTPKey] = []
    /// Whether it told others beside them, which tags cannot be verified with.
    package var hasOtherKeys = false
    /// Whether it told more than are read.
    package var hasMoreKeys = false
    /// Whether a session described the medium: what it does not say is not agreed on.
    package var isDescribed = false

    /// Nothing is agreed on.
    package init() {}

    /// Names the payload types of the medium.
    package init(payloadTypes: [UInt8]) {
        for type in payloadTypes {
            if type < 64 { lowTypes |= 1 << UInt64(type) } else if type < 128 { highTypes |= 1 << UInt64(type &- 64) }
        }
        isDescribed = true
    }

    /// Adds what another description of the same medium says: of an offer and its answer each may be used.
    package mutating func merge(_ other: StreamAgreement) {
        lowTypes |= other.lowTypes
        highTypes |= other.highTypes
        sharesPort = sharesPort || other.sharesPort
        if let more = other.extensions { extensions = (extensions ?? [:]).merging(more) { one, _ in one } }
        feedback.formUnion(other.feedback)
        hasRetransmission = hasRetransmission || other.hasRetransmission
        hasFeedbackProfile = hasFeedbackProfile || other.hasFeedbackProfile
        hasReducedSize = hasReducedSize || other.hasReducedSize
        isEncrypted = isEncrypted || other.isEncrypted
        hasClearPayload = hasClearPayload || other.hasClearPayload
        keys += other.keys
        hasOtherKeys = hasOtherKeys || other.hasOtherKeys
        hasMoreKeys = hasMoreKeys || other.hasMoreKeys
        isDescribed = isDescribed || other.isDescribed
        announcesMore = announcesMore || other.announcesMore
    }

    /// Whether a payload type is one of the medium's, or nothing is known of them.
    package func allows(_ type: UInt8) -> Bool {
        guard lowTypes | highTypes != 0 else { return true }
        return type < 64 ? lowTypes & 1 << UInt64(type) != 0 : highTypes & 1 << UInt64(type & 63) != 0
    }

    /// The payload types of the medium, lowest first.
    package var payloadTypes: [UInt8] {
        lowTypes | highTypes == 0 ? [] : (UInt8(0)..<128).filter(allows)
    }
}
