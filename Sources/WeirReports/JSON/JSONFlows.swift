import WeirEngine
import WeirPackets

/// Writes the members of flow records in parts that are serialized once: a capture may have a hundred thousand flows.
final class JSONFlows {
    /// The members between two numbers or addresses.
    private struct Parts {
        let tcpClient = Array(#","transport":"tcp","client":{"address":"#.utf8)
        let udpClient = Array(#","transport":"udp","client":{"address":"#.utf8)
        let port = Array(#","port":"#.utf8)
        let server = Array(#"},"server":{"address":"#.utf8)
        let endTime = Array(#","endTime":"#.utf8)
        let packets = Array(#","packets":{"clientToServer":"#.utf8)
        let toClient = Array(#","serverToClient":"#.utf8)
        let bytes = Array(#"},"bytes":{"clientToServer":"#.utf8)
        let retransmitted = Array(#","retransmittedBytes":"#.utf8)
        let outOfOrder = Array(#","outOfOrderSegments":"#.utf8)
        let missing = Array(#","missingBytes":"#.utf8)
    }

    /// The protocols of a flow, from the end of the server's members to the start time.
    private struct Protocols {
        var carriers = ProtocolStack()
        var found: [String] = []
        var part: [UInt8] = []
    }

    private let parts = Parts()
    /// The latest protocols: most flows have the same.
    private var protocols = Lent(Protocols())

    /// Writes the members up to those of the payload.
    func write(_ flow: FlowRecord, to json: inout JSONWriter) {
        // With a comma before it in records of their own, and without in a list.
        json.key("id")
        json.integer(flow.id)
        json.part(flow.transport == .tcp ? parts.tcpClient : parts.udpClient)
        write(flow.client, to: &json)
        json.part(parts.server)
        write(flow.server, to: &json)
        json.part(protocols(of: flow))
        json.time(flow.startTime)
        json.part(parts.endTime)
        json.time(flow.endTime)
        json.part(parts.packets)
        write(flow.packets, to: &json)
        json.part(parts.bytes)
        write(flow.bytes, to: &json)
        json.endObject()
    }

    /// Writes the counts of a TCP connection.
    func write(_ tcp: FlowRecord.TCPRecord, to json: inout JSONWriter) {
        json.part(parts.retransmitted)
        json.integer(tcp.retransmittedBytes)
        json.part(parts.outOfOrder)
        json.integer(tcp.outOfOrderSegments)
        json.part(parts.missing)
        json.integer(tcp.missingBytes)
    }

    private func write(_ endpoint: Endpoint, to json: inout JSONWriter) {
        json.address(endpoint.address)
        json.part(parts.port)
        json.integer(Int(endpoint.port))
    }

    private func write(_ counts: Flow.PerDirection, to json: inout JSONWriter) {
        json.integer(counts.clientToServer)
        json.part(parts.toClient)
        json.integer(counts.serverToClient)
    }

    private func protocols(of flow: FlowRecord) -> [UInt8] {
        var latest = protocols.take()
        if latest.part.isEmpty || latest.carriers != flow.carriers || latest.found != flow.found {
            var json = JSONWriter()
            json.endObject()
            json.key("protocols")
            json.beginArray()
            for name in flow.protocols { json.string(name) }
            json.endArray()
            json.key("startTime")
            latest = Protocols(carriers: flow.carriers, found: flow.found, part: json.octets)
        }
        let part = latest.part
        protocols.put(consume latest)
        return part
    }
}
