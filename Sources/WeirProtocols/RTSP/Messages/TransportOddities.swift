extension TransportSpec {
    /// Deviations from the grammar that do not prevent parsing.
    public struct Oddities: OptionSet, Sendable, Hashable {
        /// The raw bits.
        public let rawValue: UInt16
        /// Creates a set from its bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// An empty parameter: a trailing `;` or two in a row.
        public static let emptyParameter = Self(rawValue: 1)
        /// White space within a parameter.
        public static let blankInParameter = Self(rawValue: 1 << 1)
        /// `ssrc` is not eight hexadecimal digits.
        public static let ssrcDigits = Self(rawValue: 1 << 2)
        /// `mode` is not quoted (nor is it in the RFC's own example in §14.6).
        public static let modeUnquoted = Self(rawValue: 1 << 3)
        /// A port, channel, TTL or layer count is not a number or out of range.
        public static let number = Self(rawValue: 1 << 4)
        /// The end of a range precedes its start.
        public static let reversedRange = Self(rawValue: 1 << 5)
        /// A parameter occurs twice; the first is used.
        public static let repeatedParameter = Self(rawValue: 1 << 6)
        /// Both `unicast` and `multicast` are present.
        public static let bothDeliveries = Self(rawValue: 1 << 7)
        /// The transport identifier is not `protocol/profile[/lower-transport]`.
        public static let identifier = Self(rawValue: 1 << 8)
    }
}
