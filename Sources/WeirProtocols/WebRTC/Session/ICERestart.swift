/// An ICE restart: new username fragments and passwords during a call (RFC 8445 §9).
package struct ICERestart: Sendable {
    /// The description that offers it, or the first check that shows it.
    package let moment: ICEPair.Moment
    /// The new username fragment of the initiating agent.
    package let fragment: String
    /// Whether an answer follows the offer.
    package internal(set) var isAnswered = false
    /// An answer with the old credentials.
    package internal(set) var staleAnswer: ICEPair.Moment?
    /// When a pair was nominated with the new credentials.
    package internal(set) var nominated: ICEPair.Moment?

    /// Records a nominating check that succeeded.
    mutating func observe(_ fragments: (receiver: String, sender: String)?, _ moment: ICEPair.Moment) {
        guard nominated == nil, let fragments, fragments.receiver == fragment || fragments.sender == fragment else {
            return
        }
        nominated = moment
    }
}
