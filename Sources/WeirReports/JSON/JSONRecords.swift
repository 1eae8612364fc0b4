import WeirEngine
import WeirPackets

/// Writes the members of each record, in a fixed order.
struct JSONRecords {
    let options: ReportOptions
    let catalogue: Catalogue
    let ways = JSONWays()
    private let flows = JSONFlows()

    init(_ options: ReportOptions) {
        self.options = options
        catalogue = Catalogue(options.language, options.secrets, options.plugins)
    }

    func capture(_ capture: CaptureRecord, _ json: inout JSONWriter) {
        json.member("file", capture.file)
        json.member("format", capture.format)
        json.key("linkTypes")
        json.value(.array(capture.linkTypes.map { .string($0.name) }), options.secrets)
        json.member("snapLength", capture.snapLength)
    }

    func event(_ event: Event, _ findings: [Finding], _ json: inout JSONWriter) {
        json.member("id", event.id)
        json.member("frame", event.frame)
        json.member("firstFrame", event.firstFrame)
        json.key("time")
        json.time(event.time)
        json.key("offset")
        json.seconds(nanoseconds: event.offset)
        json.raw { ways.write(event.flow, event.direction, event.source, event.destination, to: &$0) }
        json.member("protocol", event.message.protocolName)
        json.member("kind", event.message.kind)
        json.key("summary")
        json.string { catalogue.write(event.message, to: &$0) }
        if options.explanations != .never, let note = event.note ?? event.message.note {
            json.member("note", catalogue.note(note))
        }
        json.member("session", event.session)
        json.member("stream", event.stream)
        if let decryption = event.decryption {
            json.member("decrypted", decryption.protocolName)
            json.member("decryptedFrom", decryption.source)
        }
        members(event, &json)
        if !event.remarks.isEmpty {
            json.key("remarks")
            json.value(.array(event.remarks.map { .string(catalogue.remark($0)) }), options.secrets)
        }
        if !findings.isEmpty {
            json.key("findings")
            json.value(.array(findings.map { .string($0.rule) }), options.secrets)
        }
    }

    private func members(_ event: Event, _ json: inout JSONWriter) {
        if event.answers == nil, json.ownFields(of: event.message, options.secrets) { return }
        let fields = event.message.fields(options.secrets)
        guard !fields.isEmpty || event.answers != nil else { return }
        json.key("fields")
        json.beginObject()
        json.fields(fields, options.secrets)
        if let answers = event.answers {
            json.key("latencyMs")
            json.double(Double(answers.latency) / 1_000_000, places: 6)
            json.member(event.message.answerLink, answers.requestEvent)
        }
        json.endObject()
    }

    func finding(_ finding: Finding, _ json: inout JSONWriter) {
        json.member("rule", finding.rule)
        json.member("verdict", finding.verdict.rawValue)
        json.member("severity", finding.severity.rawValue)
        json.member("protocol", finding.protocolName)
        json.member("message", catalogue.sentence(finding.message))
        json.member("expected", finding.expected.map { catalogue.words($0) })
        json.member("actual", finding.actual.map { catalogue.words($0) })
        json.member("reference", finding.reference)
        json.member("quirk", finding.quirk)
        json.member("event", finding.event)
        json.member("frame", finding.frame)
        if finding.count > 1 {
            json.member("count", finding.count)
            json.member("lastFrame", finding.lastFrame)
        }
        if let range = finding.byteRange {
            json.key("byteRange")
            json.beginObject()
            json.member("offset", range.lowerBound)
            json.member("length", range.count)
            json.endObject()
        }
        if let time = finding.time {
            json.key("time")
            json.time(time)
        }
        json.member("flow", finding.flow)
        json.member("session", finding.session)
        json.member("stream", finding.stream)
        json.member("fingerprint", finding.fingerprint)
        json.member("waivedBy", finding.waivedBy)
    }

    func rule(_ tally: RuleTally, _ json: inout JSONWriter) {
        json.member("rule", tally.rule)
        json.member("pass", tally.pass)
        json.member("fail", tally.fail)
        json.member("inconclusive", tally.inconclusive)
        json.member("notApplicable", tally.notApplicable)
    }

    func coverage(_ coverage: ClauseCoverage, _ json: inout JSONWriter) {
        json.member("specification", coverage.specification)
        json.member("clauses", coverage.clauses.count)
        json.member("exercised", coverage.exercised)
        for state in ClauseCoverage.State.allCases {
            json.key(state.rawValue)
            json.value(.array(coverage.clauses.filter { $0.state == state }.map { .string($0.name) }), options.secrets)
        }
    }

    func flow(_ flow: FlowRecord, _ json: inout JSONWriter) {
        flows.write(flow, to: &json)
        if flow.captureDuplicates > 0 { json.member("captureDuplicates", flow.captureDuplicates) }
        repeats(flow.repeatedFindings, &json)
        guard let tcp = flow.tcp else { return }
        json.key("tcp")
        json.beginObject()
        json.member("handshake", tcp.handshake.rawValue)
        if let roundTrip = tcp.handshakeRoundTrip {
            json.key("handshakeRttMs")
            json.double(Double(roundTrip) / 1_000_000, places: 6)
        }
        flows.write(tcp, to: &json)
        json.member("closedBy", tcp.closedBy.rawValue)
        json.endObject()
    }

    func stream(_ stream: StreamRecord, _ json: inout JSONWriter) {
        json.member("id", stream.id)
        json.member("kind", stream.kind)
        json.member("flow", stream.flow)
        json.member("direction", Self.name(stream.direction))
        json.member("source", stream.source)
        json.member("destination", stream.destination)
        json.member("session", stream.session)
        json.key("startTime")
        json.time(stream.startTime)
        json.key("endTime")
        json.time(stream.endTime)
        json.member("mediaType", stream.mediaType)
        json.member("encoding", stream.encoding)
        json.fields(stream.details.fields(options.secrets), options.secrets)
    }

    /// - Parameter attempts: The number of attempts in its series, or nil if not known yet.
    func session(_ session: SessionRecord, attempts: Int?, _ json: inout JSONWriter) {
        json.member("id", session.id)
        json.member("kind", session.kind)
        json.key("flows")
        json.value(.array(session.flows.map { .integer($0) }), options.secrets)
        json.key("streams")
        json.value(.array(session.streams.map { .integer($0) }), options.secrets)
        json.key("phases")
        json.beginArray()
        for phase in session.phases {
            json.beginObject()
            json.member("name", phase.phase.name)
            json.key("startTime")
            json.time(phase.startTime)
            json.key("endTime")
            json.time(phase.endTime)
            json.member("firstEvent", phase.firstEvent)
            json.member("lastEvent", phase.lastEvent)
            json.endObject()
        }
        json.endArray()
        json.member("outcome", catalogue.list(session.outcome))
        causes(session.causes, &json)
        if let attempt = session.attempt {
            json.key("attempt")
            json.beginObject()
            json.member("series", attempt.series)
            json.member("number", attempt.number)
            json.member("of", attempts)
            json.endObject()
        }
        repeats(session.repeatedFindings, &json)
        if !session.decryptedWith.isEmpty {
            json.key("decryptedWith")
            json.value(.array(session.decryptedWith.map { .string($0) }), options.secrets)
        }
        json.fields(session.facts(options.secrets), options.secrets)
    }

    private func repeats(_ repeated: [RepeatedFinding], _ json: inout JSONWriter) {
        guard !repeated.isEmpty else { return }
        json.key("repeatedFindings")
        json.beginArray()
        for finding in repeated {
            json.beginObject()
            json.member("rule", finding.rule)
            json.member("fingerprint", finding.fingerprint)
            json.member("event", finding.event)
            json.member("frame", finding.frame)
            json.member("count", finding.count)
            json.member("lastFrame", finding.lastFrame)
            json.endObject()
        }
        json.endArray()
    }

    private func causes(_ causes: [Cause], _ json: inout JSONWriter) {
        guard !causes.isEmpty else { return }
        json.key("causes")
        json.beginArray()
        for cause in causes {
            json.beginObject()
            json.member("cause", cause.id)
            json.member("verdict", cause.verdict.rawValue)
            json.member("text", catalogue.sentence(cause.text))
            json.key("frames")
            json.value(.array(cause.frames.map { .integer($0) }), options.secrets)
            json.endObject()
        }
        json.endArray()
    }

    func summary(_ summary: SummaryRecord, _ findings: FindingCounts, _ json: inout JSONWriter) {
        json.member("packets", summary.packets)
        json.member("bytes", summary.bytes)
        if let start = summary.startTime, let end = summary.endTime {
            json.key("startTime")
            json.time(start)
            json.key("endTime")
            json.time(end)
            json.key("durationSeconds")
            json.seconds(nanoseconds: max(0, end.nanoseconds &- start.nanoseconds))
        }
        json.member("truncatedPackets", summary.truncatedPackets)
        json.member("undecodedPackets", summary.undecodedPackets)
        if !summary.undecoded.isEmpty {
            json.key("undecoded")
            json.value(.array(summary.undecoded.map { .object(Self.fields($0)) }), options.secrets)
        }
        if summary.encryptedFlows > 0 { json.member("encryptedFlows", summary.encryptedFlows) }
        json.member("checksumErrors", summary.checksumErrors)
        if summary.wrongTimes > 0 {
            json.member("wrongTimes", summary.wrongTimes)
            json.member("firstWrongTime", summary.firstWrongTime)
        }
        if summary.stepsBack > 0 {
            json.member("timesBack", summary.stepsBack)
            json.member("firstTimeBack", summary.firstStepBack)
        }
        json.member("captureDuplicates", summary.captureDuplicates)
        json.member("droppedPackets", summary.droppedPackets)
        json.member("events", summary.events)
        json.key("findings")
        json.beginObject()
        json.member("error", findings.errors)
        json.member("warning", findings.warnings)
        json.member("note", findings.notes)
        json.member("inconclusive", findings.inconclusive)
        json.endObject()
        if !summary.limitsReached.isEmpty {
            json.key("limitsReached")
            json.value(.array(summary.limitsReached.map { .string(catalogue.sentence($0)) }), options.secrets)
        }
        guard let damage = summary.damage else { return }
        json.key("damage")
        json.beginObject()
        json.member("file", damage.file)
        json.member("frame", damage.frame)
        json.member("offset", damage.offset)
        json.member("reason", damage.reason)
        json.endObject()
    }

    /// Returns the fields of packets that could not be decoded because of one layer.
    private static func fields(_ undecoded: UndecodedPackets) -> [Field] {
        var fields: [Field] = []
        fields.add("layer", undecoded.layer)
        fields.add("reason", undecoded.reason.rawValue)
        fields.add("packets", undecoded.packets)
        fields.add("frame", undecoded.frame)
        fields.add("offset", undecoded.offset)
        fields.add("needed", undecoded.octets?.needed)
        fields.add("available", undecoded.octets?.available)
        fields.add("fault", undecoded.fault)
        return fields
    }

    static func name(_ direction: Direction) -> String {
        direction == .clientToServer ? "clientToServer" : "serverToClient"
    }
}

/// A cache of the serialized flow, direction and endpoints, which are the same in every packet of a stream.
final class JSONWays {
    private struct Way {
        var flow = -1
        var direction = Direction.clientToServer
        var source = Endpoint(address: IPAddress(ipv4: 0), port: 0)
        var destination = Endpoint(address: IPAddress(ipv4: 0), port: 0)
    }

    /// The number of entries.
    private static let most = 4_096
    /// Entries by hash; a later entry replaces one with the same hash.
    private var known = Lent([Way](repeating: Way(), count: most))
    /// The members of each. Apart, since a way would be copied with its members.
    private var members = Lent([[UInt8]](repeating: [], count: most))

    /// Appends the members to a record.
    @inline(__always)
    func write(
        _ flow: Int, _ direction: Direction, _ source: Endpoint, _ destination: Endpoint, to record: inout [UInt8]
    ) {
        let place = (flow &* 2 &+ Int(direction.rawValue)) & (Self.most - 1)
        var (ways, members) = (known.take(), members.take())
        let isKnown =
            ways[place].flow == flow && ways[place].direction == direction && ways[place].source == source
            && ways[place].destination == destination
        if !isKnown {
            ways[place] = Way(flow: flow, direction: direction, source: source, destination: destination)
            members[place] = Self.members(flow, direction, source, destination)
        }
        record.append(contentsOf: members[place])
        known.put(consume ways)
        self.members.put(consume members)
    }

    @inline(never)
    private static func members(
        _ flow: Int, _ direction: Direction, _ source: Endpoint, _ destination: Endpoint
    ) -> [UInt8] {
        var json = JSONWriter()
        json.member("flow", flow)
        json.member("direction", JSONRecords.name(direction))
        json.member("source", source)
        json.member("destination", destination)
        return json.octets
    }
}

extension JSONWriter {
    /// Writes a member unless its value is nil.
    fileprivate mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    fileprivate mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    fileprivate mutating func member(_ name: String, _ endpoint: Endpoint) {
        key(name)
        beginObject()
        key("address")
        address(endpoint.address)
        member("port", Int(endpoint.port))
        endObject()
    }
}
