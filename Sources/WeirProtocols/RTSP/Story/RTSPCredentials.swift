import WeirEngine
import WeirPackets

/// What the server asked of the client's credentials, and why it did not accept them.
struct RTSPCredentials {
    /// Why credentials were not accepted.
    enum Fault: String {
        /// The request had none.
        case missing
        /// They answer the challenge, and the server refuses them: user name or password is wrong.
        case rejected
        /// The same, but the server may have refused the nonce alone.
        case perhapsRejected
        /// They have another nonce than the challenge before them.
        case oldNonce
        /// They have an algorithm that was not offered.
        case algorithm
        /// They are of a scheme that was not offered.
        case scheme
    }

    /// A request that was answered 401 or 407.
    struct Refusal {
        var fault: Fault
        /// The frames of the challenge before, the request and the answer, as far as there are.
        var challenge: Int?
        var request: Int
        var answer: Int
        /// The answer's status.
        var status: Int
        /// The scheme or algorithm that was used.
        var used = ""
        /// Those that were offered.
        var offered = ""
    }

    /// What a challenge offers.
    private struct Offer {
        var scheme: String
        var nonce: String?
        /// Of Digest; MD5 where it says none.
        var algorithm: String
        /// Whether it says that the nonce before was too old.
        var isStale: Bool

        init(_ challenge: AuthenticationChallenge) {
            scheme = Text.clip(challenge.scheme)
            nonce = challenge["nonce"].map(Text.clip)
            algorithm = Text.clip(challenge["algorithm"] ?? "MD5")
            isStale = challenge["stale"].map { ASCII.equalIgnoringCase($0, "true") } ?? false
        }
    }

    /// Challenges of one answer that are kept.
    private static let most = 4
    /// What the latest challenges offer.
    private var asked: (offers: [Offer], frame: Int)?
    /// The latest request that was refused; nil once one was accepted, and when nothing tells why.
    private(set) var refusal: Refusal?

    /// A request was accepted.
    mutating func accept() {
        asked = nil
        refusal = nil
    }

    /// A request was answered by a challenge.
    mutating func refuse(_ request: RTSPMessage, in requestFrame: Int, by answer: RTSPMessage, in frame: Int) {
        let before = asked.flatMap { $0.frame < requestFrame ? $0 : nil }
        let offers = answer.challenges.prefix(Self.most).map(Offer.init)
        asked = (offers, frame)
        refusal = Self.fault(of: request.authorization, before?.offers ?? [], offers).map { fault in
            Refusal(
                fault: fault, challenge: before?.frame, request: requestFrame, answer: frame,
                status: answer.status ?? 401)
        }
        guard let fault = refusal?.fault, let credentials = request.authorization else { return }
        let isScheme = fault == .scheme
        refusal?.used = Text.clip(isScheme ? credentials.scheme : credentials["algorithm"] ?? "MD5")
        refusal?.offered = (before?.offers ?? []).map { isScheme ? $0.scheme : $0.algorithm }.joined(separator: ", ")
    }

    /// What is wrong with credentials that answer `before` and were answered by `after`; nil when nothing tells.
    private static func fault(
        of credentials: AuthenticationCredentials?, _ before: [Offer], _ after: [Offer]
    ) -> Fault? {
        guard let credentials else { return .missing }
        func alike(_ offers: [Offer]) -> [Offer] {
            offers.filter { ASCII.equalIgnoringCase($0.scheme, credentials.scheme) }
        }
        let asked = alike(before)
        if asked.isEmpty, !before.isEmpty { return .scheme }
        guard ASCII.equalIgnoringCase(credentials.scheme, "Digest") else {
            return alike(after).isEmpty ? nil : .rejected
        }
        let used = credentials["algorithm"] ?? "MD5"
        if !asked.isEmpty, !asked.contains(where: { ASCII.equalIgnoringCase($0.algorithm, used) }) { return .algorithm }
        let nonce = credentials.nonce.map(Text.clip)
        if !asked.isEmpty, !asked.contains(where: { $0.nonce == nonce }) { return .oldNonce }
        if alike(after).contains(where: \.isStale) { return nil }
        if alike(after).contains(where: { $0.nonce == nonce }) { return .rejected }
        // A nonce that was used at once is not too old.
        return asked.isEmpty ? nil : .perhapsRejected
    }
}
