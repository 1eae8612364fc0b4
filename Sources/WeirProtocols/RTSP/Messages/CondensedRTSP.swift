public import WeirEngine

extension RTSPMessage {
    /// How repeated requests and responses are condensed: keep-alives recur throughout a session.
    public var condensed: Condensed {
        switch method {
        case "GET_PARAMETER": .firstOnly("GET_PARAMETER")
        case "SET_PARAMETER": .firstOnly("SET_PARAMETER")
        case "OPTIONS": .firstOnly("OPTIONS")
        default: .step
        }
    }
}
