public import WeirPackets

/// The initial values of a session.
public struct SessionContext {
    /// The number, from 1.
    public let id: Int
    /// The endpoint that opened its first flow.
    public let client: Endpoint
    /// The other endpoint.
    public let server: Endpoint
    /// The limits, as a reference for long-term storage.
    public let limitsReference: LimitsReference
    /// The limits.
    public var limits: Limits { _read { yield limitsReference.values } }
    /// The outlet for events.
    public let outlet: SessionOutlet

    init(id: Int, client: Endpoint, server: Endpoint, limits: LimitsReference, outlet: SessionOutlet) {
        self.id = id
        self.client = client
        self.server = server
        limitsReference = limits
        self.outlet = outlet
    }
}
