import WeirEngine
import WeirPackets

/// Properties of the datagram or interleaved frame that contained an RTCP packet, for rules.
final class RTCPDatagram: Sendable {
    /// Whether the packet is the first in it; checks per datagram are made there.
    let isFirst: Bool
    /// Whether the datagram begins with a report (RFC 3550 §6.1).
    let beginsWithReport: Bool
    /// Whether it contains only an empty receiver report, which opens a port in a firewall.
    let opensPort: Bool
    /// Whether it contains a source description with a CNAME.
    let hasCanonicalName: Bool
    /// Its version, if not 2.
    let otherVersion: UInt8?
    /// Whether another packet of a source follows its BYE.
    let goesOnBehindBye: Bool
    /// The error that stopped parsing.
    let problem: DecodeError?
    /// Whether a packet other than the last has padding.
    let hasEarlyPadding: Bool
    /// Whether it is encrypted.
    let isEncrypted: Bool
    /// Whether it is truncated.
    let isCut: Bool
    /// Whether media is on the same port.
    let isOnMediaPort: Bool
    /// The negotiated parameters of the media it refers to, or nil if unknown.
    let agreement: SharedValue<StreamAgreement>?
    /// Its destination and the negotiated one, if they differ.
    let misdirection: Misdirection?

    /// A destination of RTCP that was not negotiated.
    struct Misdirection: Sendable {
        /// Where it was sent.
        let actual: Endpoint
        /// The negotiated endpoint on the same host.
        let agreed: Endpoint
    }

    init(
        _ compound: RTCPCompound, agreement: SharedValue<StreamAgreement>?, isOnMediaPort: Bool, isCut: Bool,
        misdirection: Misdirection? = nil
    ) {
        isFirst = true
        beginsWithReport = Self.beginsWithReport(compound)
        opensPort = Self.opensPort(compound)
        hasCanonicalName = compound.hasCanonicalName
        otherVersion = compound.otherVersion
        goesOnBehindBye = compound.goesOnBehindBye && Self.goesOnBehindBye(compound.elements)
        problem = compound.problem
        hasEarlyPadding = compound.hasEarlyPadding
        isEncrypted = compound.isEncrypted
        self.isCut = isCut
        self.isOnMediaPort = isOnMediaPort
        self.agreement = agreement
        self.misdirection = misdirection
    }

    private init(behind first: RTCPDatagram) {
        isFirst = false
        beginsWithReport = first.beginsWithReport
        opensPort = first.opensPort
        hasCanonicalName = first.hasCanonicalName
        otherVersion = nil
        goesOnBehindBye = false
        problem = nil
        hasEarlyPadding = false
        isEncrypted = first.isEncrypted
        isCut = first.isCut
        isOnMediaPort = first.isOnMediaPort
        agreement = first.agreement
        misdirection = nil
    }

    private static func beginsWithReport(_ compound: RTCPCompound) -> Bool {
        switch compound.elements.first?.packet {
        case .senderReport, .receiverReport: true
        default: false
        }
    }

    private static func opensPort(_ compound: RTCPCompound) -> Bool {
        guard compound.elements.count == 1, case .receiverReport(let report) = compound.elements.first?.packet else {
            return false
        }
        return report.reports.isEmpty
    }

    /// Whether it has no fault of its form, and was not sent to a wrong port.
    private var isOrderly: Bool {
        otherVersion == nil && !goesOnBehindBye && problem == nil && !hasEarlyPadding && misdirection == nil
    }

    /// Whether these are also the properties of a whole datagram of a report and a source description.
    func describes(
        _ other: borrowing UsualReport, _ agreement: SharedValue<StreamAgreement>?, isOnMediaPort: Bool
    ) -> Bool {
        isOrderly && !isEncrypted && !isCut && beginsWithReport && !opensPort && self.isOnMediaPort == isOnMediaPort
            && hasCanonicalName == other.description.hasCanonicalName && self.agreement == agreement
    }

    /// Whether these are also the properties of another datagram, which was not sent to a wrong port. False if one has a
    /// problem.
    func describes(
        _ other: RTCPCompound, _ agreement: SharedValue<StreamAgreement>?, isOnMediaPort: Bool, isCut: Bool
    ) -> Bool {
        guard isOrderly, other.otherVersion == nil, !other.goesOnBehindBye, other.problem == nil,
            !other.hasEarlyPadding,
            self.isOnMediaPort == isOnMediaPort, self.isCut == isCut, isEncrypted == other.isEncrypted
        else { return false }
        return self.agreement == agreement && beginsWithReport == Self.beginsWithReport(other)
            && opensPort == Self.opensPort(other) && hasCanonicalName == other.hasCanonicalName
    }

    private static func goesOnBehindBye(_ elements: [RTCPCompound.Element]) -> Bool {
        var left: [UInt32] = []
        for element in elements {
            if case .bye(let bye) = element.packet {
                left += bye.sources
            } else if !left.isEmpty, let ssrc = element.packet.ssrc, left.contains(ssrc) {
                return true
            }
        }
        return false
    }

    /// The properties for the packets after the first.
    var rest: RTCPDatagram { RTCPDatagram(behind: self) }
}

extension Step {
    /// The datagram of an RTCP packet.
    var datagram: RTCPDatagram? { event.whole as? RTCPDatagram }
}

extension BriefStep {
    /// The datagram of an RTCP packet.
    var datagram: RTCPDatagram? { whole as? RTCPDatagram }
}
