import WeirEngine
import WeirPackets

/// Reads a session description that another protocol carries as a payload.
package struct SDPDissector: Dissector {
    /// Name, carriers and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "sdp", carriers: [.payload], recognition: "body of an RTSP, SIP or HTTP message, or text in signaling")

    private let limits: Limits

    /// It is never looked for by itself: what carries it says so.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer { .no }

    /// Begins reading descriptions of a flow.
    package init(flow: FlowContext) {
        limits = flow.limits
    }

    /// Reads one description, the whole of `bytes`.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let description = SessionDescription(bytes, limits: limits, role: .presentation)
        if description.has(.tooManyLines) { outlet.remark(Remark(Text("limit.descriptionLines"))) }
        outlet.message(description, 0..<bytes.byteCount)
        return bytes.byteCount
    }
}
