/// Syntax deviations of an RTSP message that do not prevent parsing.
public struct RTSPOddities: OptionSet, Sendable, Hashable {
    /// The raw bits.
    public let rawValue: UInt32
    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// A line ends in LF alone.
    public static let bareLineFeed = Self(rawValue: 1)
    /// A line ends in CR alone, or has more than one CR before its LF.
    public static let bareCarriageReturn = Self(rawValue: 1 << 1)
    /// Line ends precede the start line.
    public static let leadingLineEnds = Self(rawValue: 1 << 2)
    /// `CSeq` ends with white space.
    public static let cseqTrailingBlank = Self(rawValue: 1 << 3)
    /// `CSeq` is not a 32-bit number.
    public static let cseqNotNumber = Self(rawValue: 1 << 4)
    /// A name differs in case from its specification, such as `Cseq`: allowed (RFC 2068 §4.2).
    public static let headerCase = Self(rawValue: 1 << 5)
    /// A line is not a header field.
    public static let strayLine = Self(rawValue: 1 << 6)
    /// The message is not valid UTF-8.
    public static let notUTF8 = Self(rawValue: 1 << 7)
    /// White space precedes a colon.
    public static let blankBeforeColon = Self(rawValue: 1 << 8)
    /// The parts of the start line are not separated by exactly one space.
    public static let startLineBlanks = Self(rawValue: 1 << 9)
    /// The request URI is neither absolute nor `*`.
    public static let relativeURI = Self(rawValue: 1 << 10)
    /// The request URI contains a space.
    public static let blankInURI = Self(rawValue: 1 << 11)
    /// The method or `RTSP` is not in upper case.
    public static let startLineCase = Self(rawValue: 1 << 12)
    /// `Content-Length` is present but not a number.
    public static let contentLengthNotNumber = Self(rawValue: 1 << 13)
    /// There is a body without `Content-Length`.
    public static let bodyWithoutLength = Self(rawValue: 1 << 14)
    /// `CSeq` or `Content-Length` occurs more than once; the first is used.
    public static let repeatedHeader = Self(rawValue: 1 << 15)
    /// The response has no reason phrase.
    public static let noReason = Self(rawValue: 1 << 16)
}
