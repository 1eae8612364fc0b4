import WeirEngine
import WeirPackets

/// The value of `sprop-parameter-sets` and similar: comma-separated NAL units in base64.
struct ParameterSetList {
    /// The NAL units; nil for one that is not base64.
    let units: [[UInt8]?]

    init(_ value: String) {
        units = TextSyntax.split(value, at: ASCII.comma).map { part in
            let text = TextSyntax.trim(part).utf8
            let letters = text.prefix { $0 != ASCII.equals }
            let padding = text.dropFirst(letters.count)
            // base64url characters are not part of this alphabet (RFC 4648 §4), and a single character encodes no byte.
            let isWhole =
                !letters.isEmpty && letters.count % 4 != 1 && padding.count <= 2
                && letters.allSatisfy { Base64.isLetter($0) && $0 != 0x2D && $0 != 0x5F }
                && padding.allSatisfy { $0 == ASCII.equals }
            return isWhole ? Base64.decode(letters) : nil
        }
    }

    /// The missing kind of parameter set, as a text key suffix, or nil if complete or unreadable.
    var gap: String? {
        guard !units.contains(nil) else { return nil }
        let sets = units.compactMap(\.self).filter { !$0.isEmpty }
        let sequences = sets.filter { $0[0] & 0x1F == 7 || $0[0] & 0x1F == 15 }.map { Self.numbers($0, after: 4).first }
        let pictures = sets.filter { $0[0] & 0x1F == 8 }.map { Self.numbers($0, after: 1).last }
        if pictures.isEmpty { return sequences.isEmpty ? nil : "noPicture" }
        if sequences.isEmpty { return "noSequence" }
        guard !sequences.contains(nil), !pictures.contains(nil) else { return nil }
        return pictures.allSatisfy { sequences.contains($0) } ? nil : "unknownSequence"
    }

    /// Returns the first two numbers of a set: `pic_parameter_set_id` and `seq_parameter_set_id` of a picture parameter
    /// set (H.264 §7.3.2.2); the first is `seq_parameter_set_id` in a sequence parameter set (§7.3.2.1.1).
    private static func numbers(_ unit: [UInt8], after header: Int) -> [UInt32] {
        let octets = Array(unit.dropFirst(header).prefix(16))
        var bits = BitReader(octets.rawSpan)
        guard let first = bits.unsignedExpGolomb() else { return [] }
        guard let second = bits.unsignedExpGolomb() else { return [first] }
        return [first, second]
    }
}

/// The parameter sets that a description announces for an H.264 format (RFC 6184 §8.1).
struct AnnouncedParameterSets: Sendable {
    /// The index of the medium.
    let index: Int
    /// The payload type.
    let type: UInt8
    /// The value of `sprop-parameter-sets`.
    let value: String
    /// The missing kind of parameter set, as a text key suffix; see ``ParameterSetList/gap``.
    let gap: String?
}
