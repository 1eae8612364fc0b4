import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

/// Learns which flows of a capture belong together: one analysis, and one pass over the headers.
package enum ShardSurvey {
    /// Reads a capture twice, and distributes its flows to `count` shards.
    ///
    /// - Throws: `CaptureError` if the capture cannot be opened. The frames before damage are distributed.
    package static func plan(_ file: String, count: Int, options: AnalyzerOptions) throws(CaptureError) -> ShardPlan {
        let sink = Survey()
        var analysis = Analysis(file)
        analysis.options = options
        analysis.rules = []
        do throws(CaptureError) {
            try analysis.run(file, into: sink)
        } catch {
            guard error.frame != nil else { throw error }
        }
        sink.joinRelated()
        return try headers(file, count: count, options, &sink.groups)
    }

    /// Adds the flows that the analysis does not report, and the interfaces.
    private static func headers(
        _ file: String, count: Int, _ options: AnalyzerOptions, _ groups: inout FlowGroups
    ) throws(CaptureError) -> ShardPlan {
        var capture = try CaptureFile(file)
        var decoder = PacketDecoder(limits: options.limits, verifyChecksums: false)
        var interfaces: [LiveCapture.Interface] = []
        var end: Timestamp?
        var dropped = 0
        var drops: [Int: Int] = [:]
        var number = 0
        do throws(CaptureError) {
            while true {
                // The count of the file cannot be read while a frame is in use.
                if capture.droppedPackets != dropped {
                    drops[number] = capture.droppedPackets &- dropped
                    dropped = capture.droppedPackets
                }
                guard let frame = try capture.next() else { break }
                let info = frame.info
                number = info.number
                end = max(end ?? info.time, info.time)
                while interfaces.count <= info.interface {
                    interfaces.append(
                        LiveCapture.Interface(
                            name: "interface \(interfaces.count)", linkType: info.linkType,
                            snapLength: 0))
                }
                interfaces[info.interface].linkType = info.linkType
                guard case .transport(let unit) = decoder.decode(frame) else { continue }
                let pair = EndpointPair(unit.transport, unit.source, unit.destination)
                groups.add(pair, octets: info.capturedLength)
                if unit.fragments > 0 { groups.noteFragments(pair) }
            }
        } catch {
            // The analysis has reported the damage.
        }
        // 0 is unlimited.
        let snapLength = capture.snapLengths.contains(0) ? 0 : capture.snapLengths.max() ?? 0
        for index in interfaces.indices { interfaces[index].snapLength = snapLength }
        if let recorded = capture.endTime { end = max(end ?? recorded, recorded) }
        return ShardPlan(groups, count: count, end: end, interfaces: interfaces, drops: drops)
    }

    /// Receives the records of the analysis.
    private final class Survey: ReportSink {
        var groups = FlowGroups()
        private var flows: [Int: FlowRecord] = [:]
        /// The flows of each session.
        private var members: [Int: Set<Int>] = [:]
        private var series: [Int: Int] = [:]
        private var hosts: [(session: Int, address: IPAddress)] = []

        func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
            if let session = event.session { members[session, default: []].insert(event.flow) }
        }

        func stream(_ stream: StreamRecord, session: SessionReference?) {
            if let session = stream.session { members[session, default: []].insert(stream.flow) }
        }

        func flow(_ flow: FlowRecord) {
            flows[flow.id] = flow
            groups.add(pair(flow), octets: 0)
        }

        func session(_ record: SessionRecord) {
            members[record.id, default: []].formUnion(record.flows)
            // Calls have no server: either host may be that of the signaling.
            for end in [record.reference.client, record.reference.server] { hosts.append((record.id, end.address)) }
            // Repeated attempts are numbered.
            guard let attempt = record.attempt else { return }
            if let first = series[attempt.series] {
                members[first, default: []].formUnion(record.flows)
            } else {
                series[attempt.series] = record.id
            }
        }

        /// Merges the flows of each session, and flows without one that may belong to it.
        func joinRelated() {
            for (_, ids) in members.sorted(by: { $0.key < $1.key }) {
                join(ids.sorted().compactMap { flows[$0] }.map(pair))
            }
            let owned = members.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
            var pairs: [Hosts: EndpointPair] = [:]
            var sessionsAt = Dictionary(grouping: hosts, by: \.address).mapValues { $0.map(\.session) }
            var joined: [IPAddress: EndpointPair] = [:]
            for (id, flow) in flows.sorted(by: { $0.key < $1.key }) where !owned.contains(id) {
                // Media without signaling, its reports and its repair flows are between the same hosts.
                let key = Hosts(flow.client.address, flow.server.address)
                if let other = pairs[key] { groups.join(other, pair(flow)) } else { pairs[key] = pair(flow) }
                // An encrypted connection to a host of a session may carry its signaling.
                guard flow.transport == .tcp, flow.found.contains("tls") else { continue }
                let sessions = sessionsAt.removeValue(forKey: flow.server.address) ?? []
                let theirs = sessions.flatMap { members[$0] ?? [] }.sorted().compactMap { flows[$0] }.map(pair)
                if let known = joined[flow.server.address] { groups.join(known, pair(flow)) }
                joined[flow.server.address] = pair(flow)
                join([pair(flow)] + theirs)
            }
        }

        private func join(_ pairs: [EndpointPair]) {
            guard let first = pairs.first else { return }
            for other in pairs.dropFirst() { groups.join(first, other) }
        }

        private func pair(_ flow: FlowRecord) -> EndpointPair {
            EndpointPair(flow.transport, flow.client, flow.server)
        }
    }

    /// Two hosts, in canonical order.
    private struct Hosts: Hashable {
        let first: IPAddress
        let second: IPAddress

        init(_ one: IPAddress, _ other: IPAddress) {
            (first, second) = (one.high, one.low) <= (other.high, other.low) ? (one, other) : (other, one)
        }
    }
}
