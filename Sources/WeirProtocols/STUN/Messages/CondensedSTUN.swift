package import WeirEngine

extension STUNMessage {
    /// Consent checks recur throughout a call; of other checks the first of a pair is sufficient.
    package var condensed: Condensed {
        if messageClass == .error { return .step }
        if isConsent { return isRequest ? .counted("consent check") : .counted("consent given") }
        if isICECheck { return .firstOnly(nominates ? "nominating check" : "connectivity check") }
        if isBinding, isAnswer { return .firstOnly("Binding success") }
        return recurrence == nil ? .step : .firstOnly(isRetransmission ? "retransmission" : "indication")
    }
}
