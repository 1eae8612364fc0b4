package import WeirEngine

extension TransportStream {
    /// The programs as a member of the stream record, or nil if none is known.
    package var programFields: FieldValue? {
        guard !programs.isEmpty else { return nil }
        return .array(
            programs.map { program in
                let elements = program.elements.map { element in
                    var members = [
                        Field("pid", .integer(Int(element.pid))), Field("streamType", .integer(Int(element.type))),
                    ]
                    members.add("codec", element.codec)
                    members.add("packets", packets(of: element.pid))
                    return FieldValue.object(members)
                }
                return .object([
                    Field("number", .integer(Int(program.number))), Field("pmtPid", .integer(Int(program.mapPID))),
                    Field("pcrPid", .integer(Int(program.clockPID))), Field("streams", .array(elements)),
                ])
            })
    }

    /// The PIDs and their packets as a member of the stream record, or nil if the programs explain them.
    package var identifierFields: FieldValue? {
        guard programs.isEmpty, !identifiers.isEmpty else { return nil }
        return .array(
            identifiers.map { .object([Field("pid", .integer(Int($0))), Field("packets", .integer(packets(of: $0)))]) })
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
}
