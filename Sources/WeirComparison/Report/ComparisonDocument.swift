internal import WeirEngine
internal import WeirPackets

/// The comparison as a JSON document.
enum ComparisonDocument {
    /// Returns the members, in order.
    static func fields(
        _ comparison: Comparison, version: String, thresholds: [ComparisonThreshold], _ say: (Text) -> String
    ) -> [Field] {
        var fields: [Field] = []
        fields.add("schemaVersion", "1.0")
        fields.add(
            "generator", .object([Field("name", .string("weir")), Field("version", .string(version))]))
        switch comparison {
        case .places(let places):
            fields.add("mode", "places")
            fields.add("a", places.fileA)
            fields.add("b", places.fileB)
            fields.add("different", places.isDifferent)
            fields += PlacesDocument.fields(places)
        case .runs(let runs):
            fields.add("mode", "runs")
            fields.add("a", runs.fileA)
            fields.add("b", runs.fileB)
            fields.add("different", runs.isDifferent)
            fields += RunsDocument.fields(runs, say)
        }
        if !thresholds.isEmpty {
            fields.add(
                "thresholds",
                .array(
                    thresholds.map { threshold in
                        var members: [Field] = []
                        members.add("figure", threshold.figure.rawValue)
                        members.add("limit", .double(threshold.limit))
                        members.add("percent", threshold.isPercentage)
                        members.add("value", threshold.value(in: comparison).map { FieldValue.double($0) })
                        members.add("exceeded", threshold.isExceeded(in: comparison))
                        return .object(members)
                    }))
        }
        return fields
    }
}

/// Members of the document on two places.
enum PlacesDocument {
    static func fields(_ places: PlacesComparison) -> [Field] {
        var fields: [Field] = []
        fields.add("clock", clock(places.clock))
        fields.add("stamps", .object([Field("a", stamps(places.stampsA)), Field("b", stamps(places.stampsB))]))
        fields.add("totals", totals(places))
        fields.add("flows", .array(places.flows.map(flow)))
        fields.add("onlyA", .array(places.onlyA.map(unmatched)))
        fields.add("onlyB", .array(places.onlyB.map(unmatched)))
        if places.unstored > 0 { fields.add("notCompared", places.unstored) }
        return fields
    }

    private static func clock(_ clock: ClockRelation) -> FieldValue {
        var fields: [Field] = []
        fields.add("basis", clock.basis.rawValue)
        guard clock.basis != .none else { return .object(fields) }
        fields.add("offsetMs", .double(Double(clock.offset) / 1e6))
        fields.add("uncertaintyMs", clock.uncertainty.map { FieldValue.double(Double($0) / 1e6) })
        if let drift = clock.drift {
            fields.add("driftPpm", .double(drift.value))
            fields.add("driftUncertaintyPpm", .double(drift.uncertainty))
            fields.add("driftKnown", clock.isDriftKnown)
        }
        fields.add("seconds", .double(clock.seconds))
        return .object(fields)
    }

    private static func stamps(_ stamps: StampQuality) -> FieldValue {
        var fields: [Field] = []
        fields.add("flaw", stamps.flaw?.kind.rawValue ?? "none")
        fields.add("resolutionMs", stamps.flaw.map { FieldValue.double(Double($0.resolution) / 1e6) })
        fields.add("stepsBack", stamps.stepsBack)
        return .object(fields)
    }

    private static func totals(_ places: PlacesComparison) -> FieldValue {
        var fields: [Field] = []
        fields.add("packets", places.paths.reduce(0) { $0 + $1.comparable })
        fields.add("matched", places.paths.reduce(0) { $0 + $1.matched })
        for place in PlacedPacket.Place.allCases { fields.add(name(place), places.count(place)) }
        fields.add("reordered", places.paths.reduce(0) { $0 + $1.reordered })
        fields.add("outside", places.paths.reduce(0) { $0 + $1.outside })
        return .object(fields)
    }

    private static func name(_ place: PlacedPacket.Place) -> String {
        switch place {
        case .before: "lostBefore"
        case .between: "lostBetween"
        case .behind: "lostBehind"
        case .onlyLater: "onlyLater"
        case .duplicated: "duplicated"
        case .captureDrop: "captureDrops"
        }
    }

    private static func endpoint(_ endpoint: Endpoint) -> FieldValue {
        .object([
            Field("address", .string(endpoint.address.description)), Field("port", .integer(Int(endpoint.port))),
        ])
    }

    private static func uniflow(_ key: PacketTrace.UniflowKey) -> [Field] {
        [Field("source", endpoint(key.source)), Field("destination", endpoint(key.destination))]
    }

    private static func unmatched(_ flow: PlacesComparison.Unmatched) -> FieldValue {
        .object(
            [Field("transport", .string(flow.uniflow.transport == .tcp ? "tcp" : "udp"))] + uniflow(flow.uniflow)
                + [Field("packets", .integer(flow.packets))])
    }

    private static func flow(_ flow: PlacesComparison.Flow) -> FieldValue {
        var fields: [Field] = []
        fields.add("transport", flow.paths.first.map { $0.a.transport == .tcp ? "tcp" : "udp" })
        fields.add("protocols", .array(flow.protocols.map { .string($0) }))
        fields.add("sessionA", flow.sessionA)
        fields.add("sessionB", flow.sessionB)
        fields.add("paths", .array(zip(flow.paths, flow.changes).map(path)))
        fields.add("messages", messages(flow.messages))
        return .object(fields)
    }

    private static func path(_ path: UniflowPath, _ changes: [MiddleboxChange]) -> FieldValue {
        var fields: [Field] = []
        fields.add("direction", path.direction.rawValue)
        fields.add("evidence", path.evidence.rawValue)
        fields.add("a", .object(uniflow(path.a)))
        fields.add("b", .object(uniflow(path.b)))
        fields.add("packetsA", path.packetsA)
        fields.add("packetsB", path.packetsB)
        fields.add("matched", path.matched)
        fields.add("packets", path.comparable)
        fields.add("outside", path.outside)
        for place in PlacedPacket.Place.allCases { fields.add(name(place), path.count(place)) }
        fields.add("reordered", path.reordered)
        if path.reordered > 0 { fields.add("reorderedBy", path.reorderedBy) }
        if path.resegmented > 0 { fields.add("resegmented", path.resegmented) }
        if let found = path.retransmissions {
            fields.add(
                "retransmissions",
                .object([
                    Field("lostBefore", .integer(found.before)), Field("lostBetween", .integer(found.between)),
                    Field("passed", .integer(found.passed)), Field("unknown", .integer(found.unknown)),
                ]))
        }
        fields.add("delay", path.delay.map(delay))
        fields.add(
            "changes",
            .array(
                changes.map { change in
                    var members: [Field] = []
                    members.add("kind", change.kind.rawValue)
                    members.add("a", change.a)
                    members.add("b", change.b)
                    members.add("packets", change.packets)
                    return .object(members)
                }))
        fields.add("placed", .array(path.placed.map(placed)))
        return .object(fields)
    }

    private static func delay(_ delay: PathDelay) -> FieldValue {
        var fields: [Field] = []
        if let least = delay.least {
            fields.add("leastMs", .double(least.value))
            fields.add("uncertaintyMs", .double(least.uncertainty))
        }
        fields.add("variationMeanMs", .double(delay.mean))
        fields.add("variation95Ms", .double(delay.percentile95))
        fields.add("variationMaxMs", .double(delay.max))
        fields.add(
            "intervals",
            .array(
                delay.intervals.map {
                    .object([
                        Field("offset", .double($0.offset)), Field("packets", .integer($0.packets)),
                        Field("meanMs", .double($0.mean)), Field("maxMs", .double($0.max)),
                    ])
                }))
        return .object(fields)
    }

    private static func placed(_ packet: PlacedPacket) -> FieldValue {
        var fields: [Field] = []
        fields.add("place", packet.place.rawValue)
        fields.add("frameA", packet.frameA)
        fields.add("frameB", packet.frameB)
        fields.add("ssrc", packet.source.map { hexadecimal($0) })
        fields.add("sequence", packet.sequence.map { Int($0) })
        fields.add("length", packet.length)
        return .object(fields)
    }

    private static func messages(_ messages: MessageComparison) -> FieldValue {
        var fields: [Field] = []
        fields.add("matched", messages.matched)
        fields.add(
            "changed",
            .array(
                messages.changed.map { change in
                    .object([
                        Field("protocol", .string(change.protocolName)), Field("kind", .string(change.kind)),
                        Field("summary", .string(change.summary)), Field("frameA", .integer(change.frameA)),
                        Field("frameB", .integer(change.frameB)),
                        Field("changes", .array(change.changes.map(RunsDocument.change))),
                    ])
                }))
        fields.add(
            "only",
            .array(
                messages.lone.map { lone in
                    .object([
                        Field("capture", .string(lone.isInA ? "a" : "b")),
                        Field("protocol", .string(lone.protocolName)),
                        Field("kind", .string(lone.kind)), Field("summary", .string(lone.summary)),
                        Field("frame", .integer(lone.frame)),
                    ])
                }))
        return .object(fields)
    }
}

/// Members of the document on two runs.
enum RunsDocument {
    static func fields(_ runs: RunsComparison, _ say: (Text) -> String) -> [Field] {
        var fields: [Field] = []
        if let first = runs.decisive {
            fields.add(
                "first",
                .object([
                    Field("session", .integer(first.session)), Field("difference", .integer(first.difference)),
                ]))
        }
        fields.add("differences", runs.differences.count)
        fields.add("sessions", .array(runs.sessions.map { session($0, say) }))
        if runs.unstored > 0 { fields.add("notCompared", runs.unstored) }
        return fields
    }

    private static func session(_ session: SessionComparison, _ say: (Text) -> String) -> FieldValue {
        var fields: [Field] = []
        fields.add("kind", session.kind)
        fields.add("sessionA", session.idA)
        fields.add("sessionB", session.idB)
        fields.add("steps", session.rows.count)
        fields.add("differences", .array(session.differences.map { difference($0, say) }))
        fields.add("consequences", .array(session.consequences.map { consequence($0, say) }))
        return .object(fields)
    }

    private static func difference(_ difference: RunDifference, _ say: (Text) -> String) -> FieldValue {
        var fields: [Field] = []
        fields.add("kind", difference.kind.rawValue)
        fields.add("weight", "\(difference.weight)")
        fields.add("protocol", difference.protocolName)
        fields.add("a", difference.stepA.map(step))
        fields.add("b", difference.stepB.map(step))
        fields.add("steps", difference.steps)
        fields.add("subject", difference.subject)
        if let times = difference.milliseconds {
            fields.add("aMs", .double(times.a))
            fields.add("bMs", .double(times.b))
        }
        if !difference.changes.isEmpty { fields.add("changes", .array(difference.changes.map(change))) }
        if !difference.facts.isEmpty { fields.add("facts", .array(difference.facts.map { consequence($0, say) })) }
        return .object(fields)
    }

    private static func step(_ step: RunStep) -> FieldValue {
        var fields: [Field] = []
        fields.add("frame", step.frame)
        fields.add("offset", .double(Double(step.offset) / 1e9))
        fields.add("direction", step.direction.map { $0 == .clientToServer ? "clientToServer" : "serverToClient" })
        fields.add("kind", step.kind)
        fields.add("summary", step.summary)
        return .object(fields)
    }

    /// Returns a member that differs.
    static func change(_ change: FieldChange) -> FieldValue {
        var fields: [Field] = []
        fields.add("path", change.path)
        fields.add("a", change.a)
        fields.add("b", change.b)
        return .object(fields)
    }

    private static func consequence(_ fact: RunConsequence, _ say: (Text) -> String) -> FieldValue {
        var fields: [Field] = []
        fields.add("name", fact.name)
        fields.add("stream", fact.subject)
        fields.add("a", fact.textsA.isEmpty ? fact.a : fact.textsA.map(say).joined(separator: "; "))
        fields.add("b", fact.textsB.isEmpty ? fact.b : fact.textsB.map(say).joined(separator: "; "))
        return .object(fields)
    }
}
