import Foundation
import WeirEngine
import WeirPackets

@testable import WeirProtocols

/// Signaling of the recorded peers: one JSON object with `type` and `sdp` per line. Emits the same messages as any
/// signaling dissector, and can edit descriptions.
enum LineSignaling: Plugin {
    static let name = "lines"
    static var dissectors: [any Dissector.Type] { [LineDissector.self] }

    /// Edits a description before it is parsed.
    @TaskLocal static var edit: @Sendable (_ type: String, _ sdp: String) -> (String, String) = { ($0, $1) }
}

struct LineMessage: WebRTCSignal {
    var kind: String
    var signal: WebRTCSignalContent
    var protocolName: String { "lines" }
    var sessionType: Session.Type? { WebRTCSession.self }
    func wording(_ secrets: SecretPolicy) -> Wording { Wording(verbatim: kind) }
    func fields(_ secrets: SecretPolicy) -> [Field] { [] }
}

struct LineDissector: Dissector {
    static let descriptor = DissectorDescriptor(name: "lines", carriers: [.tcp], ports: [6868], recognition: "")

    static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard let first = opening.client.byte(at: 0) else { return .needMore }
        return first == UInt8(ascii: "{") && opening.flow.server.port == 6868 ? .yes : .no
    }

    init(flow: FlowContext) {}

    mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        var used = 0
        while let end = (used..<bytes.byteCount).first(where: { bytes.byte(at: $0) == 10 }) {
            let line = Data(bytes.clamped(used, end).array())
            // A line whose start is missing cannot be parsed.
            if let object = (try? JSONSerialization.jsonObject(with: line)) as? [String: Any] {
                outlet.message(Self.message(object), used..<end + 1)
            }
            used = end + 1
        }
        return used
    }

    private static func message(_ object: [String: Any]) -> LineMessage {
        let (type, sdp) = LineSignaling.edit(object["type"] as? String ?? "", object["sdp"] as? String ?? "")
        let description = WebRTCSignalContent.DescriptionType(rawValue: type).map {
            WebRTCSignalContent.Description($0, SessionDescription(sdp))
        }
        return LineMessage(
            kind: type, signal: WebRTCSignalContent(description: description, endsCall: type == "bye"))
    }
}
