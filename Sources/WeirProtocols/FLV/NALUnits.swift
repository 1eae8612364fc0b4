import WeirEngine
/// The NAL units of one video message: what kinds there were, and whether their lengths fill the message.
public struct NALUnits: Sendable, Hashable {
    /// Why the lengths do not fill the message.
    public enum Problem: Sendable, Hashable {
        /// A unit would need so many octets, and the message has fewer left behind the length.
        case overrun(needed: Int, left: Int)
        /// So many octets are left behind the last unit, too few for a length.
        case leftover(Int)
        /// The message has start codes instead of lengths.
        case startCodes
    }

    /// How many there were.
    public internal(set) var count = 0
    /// A bit for each type that occurred, 0 to 63.
    public internal(set) var types: UInt64 = 0
    /// A recovery point was announced: decoding can begin here though there is no picture made for it.
    public internal(set) var hasRecoveryPoint = false
    /// Units of length 0.
    public internal(set) var empty = 0
    /// Why the lengths do not fill the message.
    public internal(set) var problem: Problem?

    /// Whether a unit of this type occurred.
    public func has(_ type: Int) -> Bool { type >= 0 && type < 64 && types >> UInt64(type) & 1 == 1 }

    /// Whether there is a picture in it: slices of H.264 are of types 1 to 5, those of H.265 of 0 to 31.
    public func hasPicture(isHEVC: Bool) -> Bool {
        types & (isHEVC ? 0xFFFF_FFFF : 0b11_1110) != 0
    }

    /// Whether there is a picture at which decoding can begin: IDR in H.264, any IRAP in H.265, types 16 to 23
    /// (RFC 6184 §1.3, RFC 7798 §1.1.4).
    public func hasRandomAccess(isHEVC: Bool) -> Bool {
        isHEVC ? types >> 16 & 0xFF != 0 : has(5)
    }

    /// Members of the report's `fields`.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("nalUnits", count)
        fields.add("nalUnitTypes", .array((0..<64).filter(has).map { .integer($0) }))
        if hasRecoveryPoint { fields.add("recoveryPoint", true) }
        if let problem { fields.add("problem", problem.description) }
        return fields
    }
}

extension NALUnits.Problem: CustomStringConvertible {
    /// In words.
    public var description: String {
        switch self {
        case .overrun(let needed, let left): "a NAL unit of \(needed) octets where \(left) are left"
        case .leftover(let octets): "\(octets) octets behind the last NAL unit"
        case .startCodes: "start codes instead of lengths"
        }
    }
}
