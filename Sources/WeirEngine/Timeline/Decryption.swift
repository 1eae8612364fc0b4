/// How octets were decrypted: shared by all events out of them, so that an event stores a reference only.
public final class Decryption: Sendable {
    /// The protocol that encrypted them, such as `tls`.
    public let protocolName: String
    /// Where the keys are from, such as the name of a key log.
    public let source: String?

    /// Creates a description.
    public init(_ protocolName: String, source: String?) {
        self.protocolName = protocolName
        self.source = source
    }
}
