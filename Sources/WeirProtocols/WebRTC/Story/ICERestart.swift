/// ICE that began anew while the call went on, with new names and passwords (RFC 8445 §9).
package struct ICERestart: Sendable {
    /// The description that offered it, or the first check that showed it.
    package let moment: ICEPair.Moment
    /// The new fragment of who began it.
    package let fragment: String
    /// Whether an answer came behind the offer.
    package internal(set) var isAnswered = false
    /// An answer to it that has the names from before.
    package internal(set) var staleAnswer: ICEPair.Moment?
    /// When a pair was nominated with the new names.
    package internal(set) var nominated: ICEPair.Moment?

    /// Takes note of a check that nominates and was granted.
    mutating func observe(_ fragments: (receiver: String, sender: String)?, _ moment: ICEPair.Moment) {
        guard nominated == nil, let fragments, fragments.receiver == fragment || fragments.sender == fragment else {
            return
        }
        nominated = moment
    }
}
