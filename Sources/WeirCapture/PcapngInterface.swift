import WeirPackets

/// The fields of an interface description block that packets need.
struct PcapngInterface {
    let linkType: LinkType
    /// The snap length, in octets; 0 means unlimited.
    let snapLength: Int
    /// The maximum length of a name, in octets; systems allow 16 to 256.
    static let longestName = 256

    /// `if_name`; empty if absent.
    var name = ""
    /// Whether its statistics recorded the end of its capture.
    var hasEnded = false
    /// `if_tsresol`: negative power of ten, or of two if the highest bit is set; microseconds if absent.
    var resolution: UInt8 = 6 { didSet { scale = Self.scale(resolution) } }
    /// `if_tsoffset`: seconds to add to each timestamp.
    var offsetSeconds: Int64 = 0
    /// Nanoseconds per unit if integral, otherwise 0.
    private var scale: UInt64 = 1000

    init(linkType: LinkType, snapLength: Int) {
        self.linkType = linkType
        self.snapLength = snapLength
    }

    /// Returns the time of a timestamp in units of the resolution, saturating 292 years from 1970.
    func time(_ units: UInt64) -> Timestamp {
        if scale > 0, offsetSeconds == 0 {
            let (nanoseconds, overflow) = units.multipliedReportingOverflow(by: scale)
            return Timestamp(nanoseconds: overflow ? Int64.max : Int64(clamping: nanoseconds))
        }
        // Below 2^94, so that the sum fits into 128 bits.
        let product = UInt128(units) * 1_000_000_000
        let exponent = Int(resolution & 0x7F)
        let nanoseconds: UInt128
        if resolution & 0x80 != 0 {
            nanoseconds = product >> exponent
        } else if exponent <= 28 {
            nanoseconds = product / (0..<exponent).reduce(UInt128(1)) { power, _ in power * 10 }
        } else {
            nanoseconds = 0
        }
        let sum = Int128(nanoseconds) + Int128(offsetSeconds) * 1_000_000_000
        return Timestamp(nanoseconds: Int64(clamping: sum))
    }

    private static func scale(_ resolution: UInt8) -> UInt64 {
        guard resolution <= 9 else { return 0 }
        return (resolution..<9).reduce(1) { power, _ in power * 10 }
    }
}
