/// What is replaced, and within which limits.
public struct RedactionOptions: Sendable {
    /// IP and MAC addresses stay.
    public var keepsAddresses = false
    /// Names of hosts, users, streams and sessions stay; secrets are replaced in any case.
    public var keepsNames = false
    /// Media content stays.
    public var keepsMedia = false
    /// Octets of TCP streams and fragmented datagrams that are held, and of records that are compared; a capture with more is not
    /// redacted.
    public var heldOctets = 1 << 30
    /// Words, secrets and names that are replaced.
    public var texts = 20_000

    /// Creates the default options: everything is replaced.
    public init() {}
}

/// Why a capture was not redacted.
public enum RedactionError: Error, Sendable {
    /// A limit was exceeded.
    case limit(String)
    /// The redacted capture does not have the same story, or still contains something that was replaced.
    case proof([String])
}
