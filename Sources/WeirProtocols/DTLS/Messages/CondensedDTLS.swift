package import WeirEngine

extension DTLSMessage {
    /// A retransmission repeats what was shown.
    package var condensed: Condensed { isRetransmission ? .firstOnly("retransmission") : .step }
}
