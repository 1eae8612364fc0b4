/// A sentence that is still to be put into a language: a key of the string catalogue, and what to fill in.
///
/// A key that no catalogue has is printed as it stands, with its arguments filled in, so that a dissector from
/// elsewhere can bring its own sentences.
public struct Text: Sendable, Hashable {
    /// Key in the string catalogue, such as `rtsp.request.OPTIONS`; the sentence itself holds `{0}`, `{1}`, … for the
    /// arguments.
    public var key: String
    /// What replaces `{0}`, `{1}`, ….
    public var arguments: [Argument]

    /// Something to fill in.
    public enum Argument: Sendable, Hashable {
        /// Printed as it is.
        case string(String)
        /// Printed in decimal.
        case integer(Int)
        /// A number with a unit's worth of decimals: the value and how many decimals to print.
        case decimal(Double, places: Int)
        /// A URI: credentials in it are masked.
        case uri(String)
        /// A secret: masked unless secrets are revealed.
        case secret(String)
        /// A sentence inside the sentence.
        case text(Text)

        /// Seconds, in tenths; of what is shorter, in thousandths, so that it is not told as nothing.
        package static func seconds(_ value: Double) -> Self {
            .decimal(value, places: 0.000_5..<0.05 ~= value ? 3 : 1)
        }

        /// A time with its unit: milliseconds below a second.
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
