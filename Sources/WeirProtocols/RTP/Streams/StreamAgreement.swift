/// The negotiated parameters of a stream, besides its payload types, that packets are checked against.
package struct StreamAgreement: Sendable, Hashable {
    /// The payload types of the medium below 64 and from 64 on, as bit sets; both 0 if unknown.
    private var lowTypes: UInt64 = 0
    private var highTypes: UInt64 = 0
    private var lists = Lists.none
    /// Whether RTP and RTCP share a port (`a=rtcp-mux`).
    package var sharesPort = false
    /// Names of header extension elements by identifier (`a=extmap`), or nil if unknown.
    package var extensions: [UInt8: String]? {
        get { lists.contents.extensions }
        set { if newValue != lists.contents.extensions { change { $0.extensions = newValue } } }
    }
    /// The SSRCs announced in Transport or `a=ssrc`; empty if none.
    package var sources: [UInt32] {
        get { lists.contents.sources }
        set { if newValue != lists.contents.sources { change { $0.sources = newValue } } }
    }
    /// Whether more sources, or feedback types, were announced than are kept.
    package var announcesMore = false
    /// The maximum bandwidth announced by the sender in bit/s, including IP headers (`b=AS`, RFC 8866 §5.8).
    package var bandwidth: Int?
    /// The negotiated feedback types (`a=rtcp-fb`), such as `nack pli`.
    package var feedback: Set<String> {
        get { lists.contents.feedback }
        set { if newValue != lists.contents.feedback { change { $0.feedback = newValue } } }
    }
    /// Whether retransmission was negotiated (RFC 4588 §8.1), which requires NACK.
    package var hasRetransmission = false
    /// Whether the profile supports feedback: AVPF or SAVPF (RFC 4585 §3).
    package var hasFeedbackProfile = false
    /// Whether reduced-size RTCP was negotiated (`a=rtcp-rsize`, RFC 5506 §5).
    package var hasReducedSize = false
    /// Whether the media is encrypted.
    package var isEncrypted = false
    /// Whether the payload is unencrypted but followed by an authentication tag (RFC 4568 §6.3.2).
    package var hasClearPayload = false
    /// The signaled keys: secrets.
    package var keys: [SRTPKey] {
        get { lists.contents.keys }
        set { if newValue != lists.contents.keys { change { $0.keys = newValue } } }
    }
    /// Whether other keys were signaled that cannot be used.
    package var hasOtherKeys = false
    /// Whether more keys were signaled than are parsed.
    package var hasMoreKeys = false
    /// Whether a description of the medium was captured: what it does not contain is not negotiated.
    package var isDescribed = false

    /// Creates an empty agreement.
    package init() {}

    /// Creates an agreement with the payload types of the medium.
    ///
    /// - Parameter isDescribed: whether a captured description contains them.
    package init(payloadTypes: [UInt8], isDescribed: Bool = true) {
        for type in payloadTypes {
            if type < 64 { lowTypes |= 1 << UInt64(type) } else if type < 128 { highTypes |= 1 << UInt64(type &- 64) }
        }
        self.isDescribed = isDescribed
    }

    /// Whether elements of the header extension may be encrypted (RFC 6904 §4.1).
    var hasHiddenExtensions: Bool {
        extensions?.values.contains { $0.hasPrefix("urn:ietf:params:rtp-hdrext:encrypt") } ?? false
    }

    /// Merges another description of the same medium: what the offer or the answer contains may be used.
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

    /// Returns whether a payload type belongs to the medium, or its payload types are unknown.
    package func allows(_ type: UInt8) -> Bool {
        guard !hasUnknownTypes else { return true }
        return type < 64 ? lowTypes & 1 << UInt64(type) != 0 : highTypes & 1 << UInt64(type & 63) != 0
    }

    /// The payload types of the medium, lowest first.
    package var payloadTypes: [UInt8] { hasUnknownTypes ? [] : (UInt8(0)..<128).filter(allows) }

    /// Whether the payload types of the medium are unknown.
    package var hasUnknownTypes: Bool { lowTypes | highTypes == 0 }

    // MARK: Lists

    /// The lists, shared by all copies: each datagram of RTCP has one.
    private final class Lists: Sendable, Hashable {
        struct Contents: Sendable, Hashable {
            var extensions: [UInt8: String]?
            var sources: [UInt32] = []
            var feedback: Set<String> = []
            var keys: [SRTPKey] = []
        }

        /// The empty lists of most streams.
        static let none = Lists()

        let contents: Contents

        init(_ contents: Contents = Contents()) { self.contents = contents }

        static func == (one: Lists, other: Lists) -> Bool { one === other || one.contents == other.contents }
        func hash(into hasher: inout Hasher) { hasher.combine(contents) }
    }

    private mutating func change(_ body: (inout Lists.Contents) -> Void) {
        var contents = lists.contents
        body(&contents)
        lists = Lists(contents)
    }
}
