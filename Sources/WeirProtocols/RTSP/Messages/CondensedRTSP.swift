public import WeirEngine

extension RTSPMessage {
    /// Requests that keep a session alive recur throughout it, and so do their answers.
    public var condensed: Condensed {
        switch method {
        case "GET_PARAMETER": .firstOnly("GET_PARAMETER")
        case "SET_PARAMETER": .firstOnly("SET_PARAMETER")
        case "OPTIONS": .firstOnly("OPTIONS")
        default: .step
        }
    }
}
