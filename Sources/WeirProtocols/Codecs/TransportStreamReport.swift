package import WeirEngine
import WeirPackets

extension TransportStream {
    /// The members of the stream record: programs, other PIDs, and the whole.
    package var fields: [Field] {
        var fields: [Field] = []
        if !programs.isEmpty { fields.add("programs", .array(programs.map(members))) }
        let others = others
        if !others.isEmpty {
            fields.add(
                "pids",
                .array(
                    others.map { pid, content in
                        var members = [Field("pid", .integer(Int(pid)))]
                        members.add("content", content)
                        return .object(members + figures(of: pid))
                    }))
        }
        if packets > 0 { fields.add("multiplex", .object(whole)) }
        return fields
    }

    private var whole: [Field] {
        var members: [Field] = []
        members.add("transportStreamId", information.streamID.map { Int($0) })
        members.add("networkId", information.networkID.map { Int($0) })
        members.add("networkName", information.networkName)
        members.add("packets", packets)
        members.add("nullPackets", nullPackets)
        members.add("continuityErrors", continuityErrors)
        members.add("bitrate", bitrate(of: packets))
        return members
    }

    private func members(_ program: TransportStreamProgram) -> FieldValue {
        var members = [
            Field("number", .integer(Int(program.number))), Field("pmtPid", .integer(Int(program.mapPID))),
            Field("pcrPid", .integer(Int(program.clockPID))),
        ]
        members.add("service", information.services[program.number]?.name)
        members.add("provider", information.services[program.number]?.provider)
        let systems = accessSystems(program)
        if !systems.isEmpty { members.add("accessSystems", .array(systems.map { .string($0) })) }
        if let clock = clocks[program.clockPID]?.members { members.add("pcr", .object(clock)) }
        members.add("streams", .array(program.elements.map { .object(self.members($0)) }))
        return .object(members)
    }

    /// Returns the conditional access systems of a program and its elementary streams.
    private func accessSystems(_ program: TransportStreamProgram) -> [String] {
        let all = program.descriptors.accessSystems + program.elements.flatMap(\.descriptors.accessSystems)
        return Set(all).sorted().map {
            "0x" + hexadecimal([UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)])
        }
    }

    private func members(_ element: TransportStreamProgram.Element) -> [Field] {
        var members = [Field("pid", .integer(Int(element.pid))), Field("streamType", .integer(Int(element.type)))]
        members.add("codec", element.codec)
        let descriptors = element.descriptors
        if !descriptors.languages.isEmpty {
            members.add("languages", .array(descriptors.languages.map { .string($0) }))
        }
        if !descriptors.pages.isEmpty {
            members.add(
                "pages",
                .array(
                    descriptors.pages.map { page in
                        var members = [Field("page", .string(page.number))]
                        members.add("language", page.language)
                        members.add("subtitles", page.hasSubtitles)
                        return .object(members)
                    }))
        }
        members += figures(of: element.pid)
        guard let pid = pids[element.pid], pid.lead != nil || pid.longestPresentationInterval > 0 else {
            return members
        }
        members.add("maxPtsIntervalMs", Double(pid.longestPresentationInterval) / 1_000_000)
        members.add("maxPtsDtsMs", Double(pid.reordering) / 90)
        if let lead = pid.lead {
            members.add(
                "aheadOfPcrMs",
                .object([
                    Field("min", .double(Double(lead.lowerBound) / 90)),
                    Field("max", .double(Double(lead.upperBound) / 90)),
                ]))
        }
        return members
    }

    private func figures(of number: UInt16) -> [Field] {
        let pid = pids[number] ?? TransportStreamPID()
        var members = [Field("packets", .integer(pid.packets))]
        members.add("continuityErrors", pid.continuityErrors)
        if pid.scrambled > 0 { members.add("scrambled", pid.scrambled) }
        members.add("bitrate", bitrate(of: pid.packets))
        return members
    }

    /// Breaks of continuity counters of all PIDs.
    package var continuityErrors: Int { pids.values.reduce(0) { $0 &+ $1.continuityErrors } }

    /// The shortest time in seconds over which a bit rate is meaningful.
    private static let shortest = 0.2

    /// Returns the bits per second of a number of packets.
    private func bitrate(of packets: Int) -> Double? {
        guard let times else { return nil }
        let seconds = times.upperBound.seconds(since: times.lowerBound)
        return seconds >= Self.shortest ? Double(packets * Self.packetLength * 8) / seconds : nil
    }

    /// The PIDs that are no elementary streams, with the tables in them, as far as they are known.
    private var others: [(pid: UInt16, content: String?)] {
        let elements = Set(programs.flatMap { $0.elements.map(\.pid) })
        return identifiers.filter { !elements.contains($0) }.map { ($0, content(of: $0)) }
    }

    private func content(of pid: UInt16) -> String? {
        if programs.contains(where: { $0.mapPID == pid }) { return "PMT" }
        if programs.contains(where: { $0.clockPID == pid }) { return "PCR" }
        if pid == information.networkPID { return "NIT" }
        return switch pid {
        case 0: "PAT"
        case 1: "CAT"
        case 0x11: "SDT"
        case 0x12: "EIT"
        case 0x14: "TDT"
        default: nil
        }
    }

    /// PIDs named in a summary.
    private static let mostNamed = 4

    /// A short description of the programs, or of the PIDs while no program is known; nil without either.
    package var programSummary: Wording? {
        guard let first = programs.first else {
            let names = identifiers.prefix(Self.mostNamed).map { String($0) }
            guard !names.isEmpty else { return nil }
            return Wording(
                verbatim: "PID " + names.joined(separator: ", ") + (identifiers.count > names.count ? " …" : ""))
        }
        guard programs.count == 1 else { return "\(programs.count) programs" }
        let codecs = first.elements.compactMap(\.codec)
        let name: Wording = "program \(first.number)"
        return codecs.isEmpty ? name : name + ": " + Wording(verbatim: codecs.joined(separator: ", "))
    }

    // MARK: - Table

    /// The PIDs as a table, or none while no program is known.
    package var tables: [StreamTable] {
        guard !programs.isEmpty else { return [] }
        let columns: [StreamTable.Column] = [
            .init("PID", isNumber: true), .init("program"), .init("content"), .init("packets", isNumber: true),
            .init("kbit/s", isNumber: true), .init("continuity errors", isNumber: true),
        ]
        var rows: [StreamTable.Row] = []
        for program in programs {
            for element in program.elements { rows.append(row(element, program)) }
        }
        for (pid, content) in others {
            rows.append(row(pid, content.map { Wording(verbatim: $0) } ?? "", program: "", notes: clockNotes(pid)))
        }
        return [StreamTable(title: title, columns: columns, rows: rows)]
    }

    private var title: [Wording] {
        var title: [Wording] = ["MPEG transport stream"]
        if let name = information.networkName, !name.isEmpty { title.append("network \(name)") }
        if let rate = bitrate(of: packets) { title.append("\(grouped(Int64(rate / 1_000))) kbit/s") }
        if nullPackets > 0, packets > 0 {
            title.append("\(rounded(Double(nullPackets) * 100 / Double(packets), places: 1)) % null packets")
        }
        return title
    }

    private func row(_ element: TransportStreamProgram.Element, _ program: TransportStreamProgram) -> StreamTable.Row {
        let service = information.services[program.number]
        var name = Wording(verbatim: service?.name ?? "\(program.number)")
        if let provider = service?.provider { name += Wording(verbatim: " (\(provider))") }
        let type = element.codec.map { Wording(verbatim: $0) } ?? "stream type \("0x" + hexadecimal([element.type]))"
        let languages = element.descriptors.languages.joined(separator: ", ")
        var notes: [Wording] = []
        let pages = element.descriptors.pages
        if !pages.isEmpty {
            let numbers = pages.map { $0.number + ($0.language.map { " \($0)" } ?? "") }.joined(separator: ", ")
            notes.append(pages.count == 1 ? "page \(numbers)" : "pages \(numbers)")
        }
        notes += presentationNotes(element.pid)
        if element.pid == program.clockPID { notes += clockNotes(element.pid) }
        return row(
            element.pid, languages.isEmpty ? type : type + Wording(verbatim: " " + languages), program: name,
            notes: notes)
    }

    private func row(_ pid: UInt16, _ content: Wording, program: Wording, notes: [Wording]) -> StreamTable.Row {
        let figures = pids[pid] ?? TransportStreamPID()
        var notes = notes
        if figures.scrambled > 0 {
            notes.insert("\(grouped: figures.scrambled, "packet", "packets") scrambled", at: 0)
        }
        let rate = bitrate(of: figures.packets).map { grouped(Int64($0 / 1_000)) } ?? ""
        return StreamTable.Row(
            [
                Wording(verbatim: "\(pid)"), program, content, Wording(verbatim: grouped(figures.packets)),
                Wording(verbatim: rate), Wording(verbatim: grouped(figures.continuityErrors)),
            ], notes: notes)
    }

    private func presentationNotes(_ pid: UInt16) -> [Wording] {
        guard let figures = pids[pid] else { return [] }
        var notes: [Wording] = []
        if figures.reordering > 0 { notes.append("PTS up to \(figures.reordering / 90) ms after DTS") }
        if let lead = figures.lead {
            let (least, most) = (lead.lowerBound / 90, lead.upperBound / 90)
            notes.append(
                least == most ? "\(least) ms ahead of the PCR" : "\(least) to \(most) ms ahead of the PCR")
        }
        return notes
    }

    private func clockNotes(_ pid: UInt16) -> [Wording] {
        guard let clock = clocks[pid], let interval = clock.intervalMilliseconds else { return [] }
        var notes: [Wording] = [
            "PCR every \(rounded(interval.mean, places: 1)) ms (max \(rounded(interval.longest, places: 1)))"
        ]
        if let deviation = clock.deviationNanoseconds {
            notes.append("PCR accuracy \(rounded(deviation, places: 0)) ns")
        }
        if let jitter = clock.jitterMilliseconds {
            notes.append(
                "PCR jitter \(rounded(jitter.mean, places: 1)) ms (max \(rounded(jitter.largest, places: 1)))")
        }
        return notes
    }
}

extension ProgramClock {
    /// The members of a program, or nil without an interval.
    fileprivate var members: [Field]? {
        guard let interval = intervalMilliseconds else { return nil }
        var members = [Field("count", .integer(count))]
        members.add("intervalMs", .object(Self.members(interval.mean, interval.longest)))
        if let deviation = deviationNanoseconds { members.add("accuracyNs", deviation) }
        if let jitter = jitterMilliseconds {
            members.add("jitterMs", .object(Self.members(jitter.mean, jitter.largest)))
        }
        return members
    }

    private static func members(_ mean: Double, _ largest: Double) -> [Field] {
        [Field("mean", .double(mean)), Field("max", .double(largest))]
    }
}
