import WeirPackets

extension SessionDescription {
    /// The parameter sets announced for each medium: those of its first format that has any. Equal descriptions share
    /// them.
    var parameterSets: [AnnouncedParameterSets] { shared.template?.parameterSets ?? readParameterSets() }

    /// Reads the parameter sets.
    func readParameterSets() -> [AnnouncedParameterSets] {
        var lists: [AnnouncedParameterSets] = []
        for (index, _, type, parameters) in h264 where lists.last?.index != index {
            guard let value = parameters["sprop-parameter-sets"] else { continue }
            let gap = ParameterSetList(value).gap
            lists.append(AnnouncedParameterSets(index: index, type: type, value: value, gap: gap))
        }
        return lists
    }

    /// The H.264 formats with parameters: medium, payload type, parameters.
    var h264: [(index: Int, medium: MediaDescription, type: UInt8, parameters: FormatParameters)] {
        media.enumerated().filter(\.element.isRTP).flatMap { index, medium in
            medium.formatParameters.compactMap { parameters in
                guard let type = TextSyntax.decimal(parameters.format, as: UInt8.self),
                    let map = medium.rtpMap(type), ASCII.equalIgnoringCase(map.encoding, "H264")
                else { return nil }
                return (index, medium, type, parameters)
            }
        }
    }
}
