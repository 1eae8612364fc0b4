import WeirEngine
import WeirPackets

extension Table<FlowRecord> {
    /// One row per flow.
    static var flows: Self {
        Self(
            name: "flows", meaning: "TCP connections and UDP conversations.",
            key: ["capture", "flow"],
            columns: [
                .capture,
                .integer("flow", "The number of the flow in its capture, from 1.", required: true) { $0.record.id },
                .text("transport", "tcp or udp.", required: true) { $0.record.transport == .tcp ? "tcp" : "udp" },
                .text("clientAddress", "The address that opened the flow.", required: true) {
                    $0.record.client.address.description
                },
                .integer("clientPort", "Its port.", required: true) { Int($0.record.client.port) },
                .text("serverAddress", "The other address.", required: true) {
                    $0.record.server.address.description
                },
                .integer("serverPort", "Its port.", required: true) { Int($0.record.server.port) },
                .texts("protocols", "The protocols, outermost first.") { $0.record.protocols },
                .time("startTime", "The time of the first packet.", required: true) { $0.record.startTime },
                .time("endTime", "The time of the last packet.", required: true) { $0.record.endTime },
            ] + counts + tcp)
    }

    private static var counts: [Column<FlowRecord>] {
        [
            .integer("packetsToServer", "Packets from the client.", required: true) {
                $0.record.packets.clientToServer
            },
            .integer("packetsToClient", "Packets from the server.", required: true) {
                $0.record.packets.serverToClient
            },
            .integer("bytesToServer", "Transport payload from the client.", unit: "bytes", required: true) {
                $0.record.bytes.clientToServer
            },
            .integer("bytesToClient", "Transport payload from the server.", unit: "bytes", required: true) {
                $0.record.bytes.serverToClient
            },
            .integer("captureDuplicates", "Packets that the capture contains more than once.", required: true) {
                $0.record.captureDuplicates
            },
        ]
    }

    private static var tcp: [Column<FlowRecord>] {
        [
            .text("handshake", "complete, partial or missing; TCP only, as all below.") {
                $0.record.tcp?.handshake.rawValue
            },
            .number("handshakeRttMs", "From SYN to the ACK that completes the handshake.", unit: "ms") {
                $0.record.tcp?.handshakeRoundTrip.map { Double($0) / 1e6 }
            },
            .integer("retransmittedBytes", "Retransmitted payload.", unit: "bytes") {
                $0.record.tcp?.retransmittedBytes
            },
            .integer("outOfOrderSegments", "Segments that arrived after later ones.") {
                $0.record.tcp?.outOfOrderSegments
            },
            .integer("missingBytes", "Bytes missing from the capture.", unit: "bytes") { $0.record.tcp?.missingBytes },
            .text("closedBy", "fin, reset or open.") { $0.record.tcp?.closedBy.rawValue },
        ]
    }
}
