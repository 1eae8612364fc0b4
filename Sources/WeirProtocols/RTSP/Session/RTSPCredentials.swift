import WeirEngine
import WeirPackets

/// Tracks authentication: the server's challenges, and why credentials were not accepted.
struct RTSPCredentials {
    /// The reason why credentials were not accepted.
    enum Fault: String {
        /// The request had no credentials.
        case missing
        /// The credentials match the challenge, but the server rejects them: wrong user name or password.
        case rejected
        /// As `rejected`, but possibly only the nonce was rejected.
        case perhapsRejected
        /// The nonce is not the one of the preceding challenge.
        case oldNonce
        /// The algorithm was not offered.
        case algorithm
        /// The scheme was not offered.
        case scheme
        /// The digest is for another URI than the request.
        case uri
    }

    /// A request answered with 401 or 407.
    struct Refusal {
        var fault: Fault
        /// The frames of the preceding challenge, the request and the response, where captured.
        var challenge: Int?
        var request: Int
        var answer: Int
        /// The status of the response.
        var status: Int
        /// The scheme or algorithm used.
        var used = ""
        /// The schemes or algorithms offered.
        var offered = ""
    }

    /// The offer of one challenge.
    private struct Offer {
        var scheme: String
        var nonce: String?
        /// The Digest algorithm; MD5 by default.
        var algorithm: String
        /// Whether the challenge declares the previous nonce stale.
        var isStale: Bool

        init(_ challenge: AuthenticationChallenge) {
            scheme = Text.clip(challenge.scheme)
            nonce = challenge["nonce"].map(Text.clip)
            algorithm = Text.clip(challenge["algorithm"] ?? "MD5")
            isStale = challenge["stale"].map { ASCII.equalIgnoringCase($0, "true") } ?? false
        }
    }

    /// Maximum number of challenges stored per response.
    private static let most = 4
    /// The offers of the latest challenges.
    private var asked: (offers: [Offer], frame: Int)?
    /// The latest rejected request; nil once a request is accepted, and if the reason is unknown.
    private(set) var refusal: Refusal?
    /// Whether any request had credentials.
    private var hasSent = false

    /// Records whether a request that was answered had credentials.
    mutating func note(_ request: RTSPMessage) {
        if request.authorization != nil { hasSent = true }
    }

    /// Records an accepted request.
    mutating func accept() {
        asked = nil
        refusal = nil
    }

    /// Records a challenged request.
    mutating func refuse(_ request: RTSPMessage, in requestFrame: Int, by answer: RTSPMessage, in frame: Int) {
        let before = asked.flatMap { $0.frame < requestFrame ? $0 : nil }
        let offers = answer.challenges.prefix(Self.most).map(Offer.init)
        asked = (offers, frame)
        refusal = fault(of: request, before?.offers ?? [], offers).map { fault in
            Refusal(
                fault: fault, challenge: before?.frame, request: requestFrame, answer: frame,
                status: answer.status ?? 401)
        }
        guard let fault = refusal?.fault, let credentials = request.authorization else { return }
        if fault == .uri {
            refusal?.used = Text.clip(credentials["uri"] ?? "")
            refusal?.offered = Text.clip(request.uri ?? "")
            return
        }
        let isScheme = fault == .scheme
        refusal?.used = Text.clip(isScheme ? credentials.scheme : credentials["algorithm"] ?? "MD5")
        refusal?.offered = (before?.offers ?? offers).map { isScheme ? $0.scheme : $0.algorithm }
            .joined(separator: ", ")
    }

    /// Whether a digest for one URI may be meant for a request to another: servers accept the URI of the presentation
    /// for its tracks, and the path alone.
    private static func isAlike(_ uri: String, _ target: String) -> Bool {
        uri.hasPrefix(target) || target.hasPrefix(uri) || target.hasSuffix(uri)
    }

    /// Returns what is wrong with credentials sent after challenge `before` and answered by `after`, or nil if unknown.
    private func fault(of request: RTSPMessage, _ before: [Offer], _ after: [Offer]) -> Fault? {
        guard let credentials = request.authorization else { return hasSent ? nil : .missing }
        func alike(_ offers: [Offer]) -> [Offer] {
            offers.filter { ASCII.equalIgnoringCase($0.scheme, credentials.scheme) }
        }
        let asked = alike(before)
        if asked.isEmpty, !before.isEmpty || !after.isEmpty && alike(after).isEmpty { return .scheme }
        guard ASCII.equalIgnoringCase(credentials.scheme, "Digest") else {
            return alike(after).isEmpty ? nil : .rejected
        }
        let used = credentials["algorithm"] ?? "MD5"
        if !asked.isEmpty, !asked.contains(where: { ASCII.equalIgnoringCase($0.algorithm, used) }) { return .algorithm }
        let nonce = credentials.nonce.map(Text.clip)
        if !asked.isEmpty, !asked.contains(where: { $0.nonce == nonce }) { return .oldNonce }
        if alike(after).contains(where: \.isStale) { return nil }
        if let uri = credentials["uri"], let target = request.uri, !Self.isAlike(uri, target) { return .uri }
        if alike(after).contains(where: { $0.nonce == nonce }) { return .rejected }
        // A nonce used at once is not stale.
        return asked.isEmpty ? nil : .perhapsRejected
    }
}
