import WeirEngine
import WeirPackets

/// Dissects a session description carried as a payload by another protocol.
package struct SDPDissector: Dissector {
    /// The name, carriers and recognition of the dissector.
    package static let descriptor = DissectorDescriptor(
        name: "sdp", carriers: [.payload], recognition: "body of an RTSP, SIP or HTTP message, or text in signaling")

    private let limits: Limits
    private let templates: DescriptionTemplates

    /// Never matches: the carrying protocol selects this dissector.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer { .no }

    /// Creates a dissector for the descriptions of a flow.
    package init(flow: FlowContext) {
        limits = flow.limits
        templates = flow.sharedValues.value(DescriptionTemplates.self) { DescriptionTemplates() }
    }

    /// Parses one description, which is all of `bytes`.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let description = templates.description(bytes, limits: limits)
        if description.has(.tooManyLines) { outlet.remark(Remark(Text("limit.descriptionLines"))) }
        outlet.message(description, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}
