public import WeirPackets

/// A localizable sentence: a string catalog key and its arguments.
///
/// A key without a catalog entry is printed literally, with its arguments, so that external dissectors can supply their
/// own sentences.
public struct Text: Sendable, Hashable {
    /// The string catalog key, such as `rtsp.request.OPTIONS`; the sentence contains `{0}`, `{1}`, … for the arguments.
    public var key: String
    /// The replacements of `{0}`, `{1}`, ….
    public var arguments: [Argument]

    /// An argument.
    public enum Argument: Sendable, Hashable {
        /// A string, printed unchanged.
        case string(String)
        /// A decimal integer.
        case integer(Int)
        /// A number, and the number of decimals to print.
        case decimal(Double, places: Int)
        /// A URI, whose credentials are masked.
        case uri(String)
        /// A secret, masked unless secrets are revealed.
        case secret(String)
        /// An address and port, described only when it is printed.
        case endpoint(Endpoint)
        /// A nested sentence.
        case text(Text)

        /// Returns seconds with one decimal, or with three for short times, so that they do not appear as zero.
        package static func seconds(_ value: Double) -> Self {
            .decimal(value, places: 0.000_5..<0.05 ~= value ? 3 : 1)
        }

        /// Returns a duration with its unit; in milliseconds below a second.
        package static func duration(_ seconds: Double) -> Self {
            guard seconds < 1 else { return .text(Text("time.seconds", .decimal(seconds, places: 1))) }
            return .text(Text("time.milliseconds", .decimal(seconds * 1_000, places: seconds < 0.01 ? 1 : 0)))
        }
    }

    /// Creates a sentence.
    public init(_ key: String, _ arguments: Argument...) {
        self.key = key
        self.arguments = arguments
    }

    /// Creates a sentence from a list of arguments.
    public init(_ key: String, arguments: [Argument]) {
        self.key = key
        self.arguments = arguments
    }
}
