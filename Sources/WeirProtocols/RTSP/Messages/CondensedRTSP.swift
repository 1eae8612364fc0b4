public import WeirEngine

extension RTSPMessage {
    /// How repeated requests and responses are condensed: keep-alives recur throughout a session.
    public var condensed: Condensed {
        switch knownMethod {
        case .getParameter: .firstOnly("GET_PARAMETER")
        case .setParameter: .firstOnly("SET_PARAMETER")
        case .options: .firstOnly("OPTIONS")
        default: .step
        }
    }
}
