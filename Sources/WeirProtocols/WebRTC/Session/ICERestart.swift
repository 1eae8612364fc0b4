/// An ICE restart: new username fragments and passwords during a call (RFC 8445 §9).
struct ICERestart: Sendable {
    /// The description that offers it, or the first check that shows it.
    let moment: ICEPair.Moment
    /// The new username fragment of the initiating agent.
    let fragment: String
    /// Whether an answer follows the offer.
    var isAnswered = false
    /// An answer with the old credentials.
    var staleAnswer: ICEPair.Moment?
    /// When a pair was nominated with the new credentials.
    var nominated: ICEPair.Moment?

    /// Records a nominating check that succeeded.
    mutating func observe(_ fragments: (receiver: String, sender: String)?, _ moment: ICEPair.Moment) {
        guard nominated == nil, let fragments, fragments.receiver == fragment || fragments.sender == fragment else {
            return
        }
        nominated = moment
    }
}
