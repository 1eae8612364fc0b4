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

    /// A short description of the programs, or nil if none is known.
    package var programSummary: Wording? {
        guard let first = programs.first else { return nil }
        guard programs.count == 1 else { return "\(programs.count) programs" }
        let codecs = first.elements.compactMap(\.codec)
        let name: Wording = "program \(first.number)"
        return codecs.isEmpty ? name : name + ": " + Wording(verbatim: codecs.joined(separator: ", "))
    }
}
