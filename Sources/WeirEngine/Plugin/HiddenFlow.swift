package import WeirPackets

/// An encrypted connection of unknown purpose: its opening, which is reported if a session has the same server host.
package struct HiddenFlow {
    /// The flow id.
    package let id: Int
    /// The endpoint that opened it.
    package let client: Endpoint
    /// The other endpoint.
    package let server: Endpoint
    /// The opening, such as a ClientHello.
    package let message: any Message
}
