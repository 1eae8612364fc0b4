/// Session keys of a master key, derived as needed: once, or for each period of the key derivation rate.
struct SRTPCandidate: Sendable {
    /// The master key.
    let key: SRTPKey
    /// What the session keys are for.
    private let use: SRTPSessionKeys.Use
    private var current: (period: UInt64, keys: SRTPSessionKeys?)?

    init(_ key: SRTPKey, for use: SRTPSessionKeys.Use, with keys: SRTPSessionKeys? = nil) {
        self.key = key
        self.use = use
        current = keys.map { (0, $0) }
    }

    /// Returns the session keys of a packet (RFC 3711 §4.3.1): `index` is its index.
    mutating func sessionKeys(at index: UInt64) -> SRTPSessionKeys? {
        let period = key.rate == 0 ? 0 : index / key.rate
        if let current, current.period == period { return current.keys }
        let keys = SRTPSessionKeys(key, for: use, period: period)
        current = (period, keys)
        return keys
    }
}
