package import WeirEngine

extension DTLSMessage {
    /// A retransmission repeats an earlier line.
    package var condensed: Condensed { isRetransmission ? .firstOnly("retransmission") : .step }
}
