import WeirEngine
/// The NAL units of a video message: their types, and whether their lengths add up to the message.
public struct NALUnits: Sendable, Hashable {
    /// Why the lengths do not add up.
    public enum Problem: Sendable, Hashable {
        /// A unit exceeds the octets left after its length.
        case overrun(needed: Int, left: Int)
        /// Octets remain after the last unit, too few for a length.
        case leftover(Int)
        /// The message contains start codes instead of lengths.
        case startCodes
    }

    /// The number of units.
    public internal(set) var count = 0
    /// A bit for each type that occurred, 0 to 63.
    public internal(set) var types: UInt64 = 0
    /// Whether a recovery point was announced, at which decoding can start without an IDR or IRAP picture.
    public internal(set) var hasRecoveryPoint = false
    /// The number of units of length 0.
    public internal(set) var empty = 0
    /// Why the lengths do not add up, or nil if they do.
    public internal(set) var problem: Problem?

    /// Returns whether a unit of this type occurred.
    public func has(_ type: Int) -> Bool { type >= 0 && type < 64 && types >> UInt64(type) & 1 == 1 }

    /// Returns whether there is a slice: types 1 to 5 in H.264, 0 to 31 in H.265.
    public func hasPicture(isHEVC: Bool) -> Bool {
        types & (isHEVC ? 0xFFFF_FFFF : 0b11_1110) != 0
    }

    /// Returns whether there is a random access picture: IDR in H.264, any IRAP in H.265, types 16 to 23 (RFC 6184
    /// §1.3, RFC 7798 §1.1.4).
    public func hasRandomAccess(isHEVC: Bool) -> Bool {
        isHEVC ? types >> 16 & 0xFF != 0 : has(5)
    }

    /// The members of `fields` in the report.
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
    /// The description.
    public var description: String {
        switch self {
        case .overrun(let needed, let left): "a NAL unit of \(needed) octets where \(left) are left"
        case .leftover(let octets): "\(octets) octets after the last NAL unit"
        case .startCodes: "start codes instead of lengths"
        }
    }
}
