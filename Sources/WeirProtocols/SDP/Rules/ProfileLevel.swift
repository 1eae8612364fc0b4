import WeirEngine
import WeirPackets

/// The three octets of an H.264 profile and level.
struct ProfileLevel: Hashable {
    var profile: UInt8
    var constraints: UInt8
    var level: UInt8

    /// The octets as in `profile-level-id`.
    var hexadecimal: String {
        [profile, constraints, level].map { octet in
            let digits = TextSyntax.uppercased(String(octet, radix: 16))
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }

    /// The level times ten, with 1b between 1 and 1.1 (RFC 6184 §8.1, §8.2.2).
    var levelTimesTen: Double {
        let isOld = [66, 77, 88].contains(profile)
        if isOld ? level == 11 && constraints & 0x10 != 0 : level == 9 { return 10.5 }
        return Double(level)
    }

    /// The sub-profile, identical for all octets with the same meaning (RFC 6184 §8.1, table 5).
    private var subProfile: (UInt8, UInt8) {
        let flags = constraints & 0xE0
        switch (profile, flags & 0x80 != 0, flags & 0x40 != 0) {
        case (0x42, _, true), (0x4D, true, _), (0x58, true, true): return (0x42, 0x40)
        case (0x42, _, false), (0x58, true, false): return (0x42, 0)
        case (0x4D, false, _): return (0x4D, constraints & 0x20)
        case (0x58, false, _): return (0x58, flags)
        default: return (profile, constraints)
        }
    }

    /// Whether both have the same sub-profile and level.
    func isSame(as other: ProfileLevel) -> Bool {
        subProfile == other.subProfile && levelTimesTen == other.levelTimesTen
    }
}

extension ParameterSetList {
    /// Profile and level of the sequence parameter sets.
    var sequenceParameterSets: [ProfileLevel] {
        units.compactMap { unit in
            guard let unit, unit.count >= 4, unit[0] & 0x1F == 7 else { return nil }
            return ProfileLevel(profile: unit[1], constraints: unit[2], level: unit[3])
        }
    }
}
