import WeirEngine
import WeirPackets

/// RTSP-AUTH-CHALLENGE: challenges and credentials are consistent.
///
/// 1. A 401 must have WWW-Authenticate with a challenge (RFC 2068 §10.4.2, §14.46), a 407 Proxy-Authenticate; a
///    challenge has a scheme and realm, and Digest a nonce.
/// 2. The client uses an offered scheme and, for Digest, an offered algorithm and nonce: without `algorithm` both mean
///    MD5.
/// 3. The request with credentials is a new one, with a new CSeq (RFC 2326 §9.2).
///
/// A server may also announce the next nonce in Authentication-Info. If messages are missing, one of them may contain a
/// later challenge: the result is then inconclusive.
///
/// Two challenges without a separating comma are a known habit.
struct RTSPAuthChallenge: Rule {
    static let info = RuleInfo(
        "RTSP-AUTH-CHALLENGE", .error, .must, reference: "RFC 2068 §14.46",
        check: "A 401 has a usable challenge, and the next request uses one of its schemes with a new CSeq.",
        example: "RTSP/1.0 401 Unauthorized … (no WWW-Authenticate)")

    /// The latest challenges, and the CSeq of the challenged request.
    private var offered: (challenges: [AuthenticationChallenge], number: UInt32?)?
    /// The nonce that the latest response announces for the next request.
    private var next: String?

    static var sorts: MessageSorts { .rtspAuthentication }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let request = step.clientRequest {
            retried(request, mayHaveMissed: step.mayHaveMissed, &judgement)
        } else if !step.isFromClient, let message = step.rtsp {
            if let named = message.head.first(.authenticationInfo).flatMap(Self.nextNonce) { next = named }
            if message.status == 401 || message.status == 407 { challenged(message, step.request, &judgement) }
        }
    }

    private mutating func challenged(
        _ answer: RTSPMessage, _ request: RTSPMessage?, _ judgement: inout Judgement
    ) {
        let name = answer.status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
        let challenges = answer.headers.all(name).flatMap(AuthenticationChallenge.list)
        offered = (challenges, request?.cseq)
        guard !challenges.isEmpty else {
            judgement.fail(
                Text("RTSP-AUTH-CHALLENGE.missing", .integer(answer.status ?? 0), .string(name)),
                expected: .wire("\(name): Digest realm=\"…\", nonce=\"…\""), subject: "missing")
            return
        }
        for challenge in challenges {
            let isDigest = ASCII.equalIgnoringCase(challenge.scheme, "Digest")
            let isWhole = challenge.realm != nil && (!isDigest || challenge["nonce"] != nil)
            let isKnown = isDigest || ASCII.equalIgnoringCase(challenge.scheme, "Basic")
            if challenge.scheme.isEmpty || isKnown && !isWhole {
                judgement.fail(
                    Text("RTSP-AUTH-CHALLENGE.incomplete", .wire(challenge.scheme)),
                    actual: .wire(answer.headers.first(name) ?? ""), subject: "incomplete")
            } else {
                judgement.pass()
            }
        }
        if let value = answer.headers.all(name).first(where: Self.runsTogether) {
            judgement.fail(
                Text("RTSP-AUTH-CHALLENGE.comma"), actual: .wire(value), quirk: "Q-AUTH", severity: .warning,
                subject: "comma")
        }
    }

    /// Whether another challenge follows a quoted value without a comma.
    private static func runsTogether(_ value: String) -> Bool {
        let lower = TextSyntax.lowercased(value)
        return ["basic ", "digest "].contains { scheme in
            var rest = lower[...]
            while let found = rest.utf8.firstRange(of: scheme.utf8) {
                if TextSyntax.trim(lower[..<found.lowerBound]).hasSuffix("\"") { return true }
                rest = rest[found.upperBound...]
            }
            return false
        }
    }

    /// Returns the client's Digest algorithm if the server offered only others.
    private static func otherAlgorithm(
        _ credentials: AuthenticationCredentials, _ alike: [AuthenticationChallenge]
    ) -> String? {
        guard ASCII.equalIgnoringCase(credentials.scheme, "Digest"), !alike.isEmpty else { return nil }
        let used = credentials["algorithm"] ?? "MD5"
        return alike.contains { ASCII.equalIgnoringCase($0["algorithm"] ?? "MD5", used) } ? nil : used
    }

    /// Returns `nextnonce` of Authentication-Info, whose parameters are those of a challenge without a scheme.
    private static func nextNonce(_ value: String) -> String? {
        AuthenticationChallenge.list("Digest " + value).first?["nextnonce"]
    }

    private mutating func retried(_ request: RTSPMessage, mayHaveMissed: Bool, _ judgement: inout Judgement) {
        guard let offered, let credentials = request.authorization else { return }
        self.offered = nil
        let subject = request.method ?? ""
        let alike = offered.challenges.filter { ASCII.equalIgnoringCase($0.scheme, credentials.scheme) }
        let isOther = !alike.contains { $0["nonce"] == credentials.nonce } && credentials.nonce != next
        if mayHaveMissed, isOther {
            judgement.inconclusive(Text("RTSP-AUTH-CHALLENGE.nonce", .wire(subject)), subject: subject)
        } else if !offered.challenges.isEmpty, alike.isEmpty {
            judgement.fail(
                Text("RTSP-AUTH-CHALLENGE.scheme", .wire(credentials.scheme)),
                expected: .wire(offered.challenges.map { TextSyntax.lowercased($0.scheme) }.joined(separator: ", ")),
                actual: .wire(credentials.scheme), subject: subject)
        } else if let algorithm = Self.otherAlgorithm(credentials, alike) {
            judgement.fail(
                Text("RTSP-AUTH-CHALLENGE.algorithm", .wire(algorithm)),
                expected: .wire(alike.map { $0["algorithm"] ?? "MD5" }.joined(separator: ", ")),
                actual: .wire(algorithm), subject: subject)
        } else if credentials.nonce != nil, !alike.isEmpty, isOther {
            judgement.fail(Text("RTSP-AUTH-CHALLENGE.nonce", .wire(subject)), severity: .warning, subject: subject)
        } else if let number = offered.number, request.cseq == number {
            judgement.fail(
                Text("RTSP-AUTH-CHALLENGE.number", .wire(subject), .integer(Int(number))),
                expected: .wire("CSeq: \(number &+ 1)"), actual: .wire("CSeq: \(number)"), reference: "RFC 2326 §9.2",
                subject: subject)
        } else {
            judgement.pass()
        }
    }
}

/// RTSP-AUTH-CLEAR: no passwords in clear text.
///
/// Basic authentication alone should not protect anything of value (RFC 2068 §15.1, which RFC 2326 §16 refers to):
/// anyone who sees the packets can read the password. The same applies to a password in a URL. Reported once for each
/// form; the password is never shown.
struct RTSPAuthClear: Rule {
    static let info = RuleInfo(
        "RTSP-AUTH-CLEAR", .note, .should, reference: "RFC 2068 §15.1",
        check: "Passwords are not sent in the clear, neither with Basic nor in a URL.",
        example: "Authorization: Basic dXNlcjpwYXNz\nAuthorization: Digest username=…")

    private var habits = Habits()
    /// The latest URI in ASCII without a password or token.
    private var plainURI: String?

    static var sorts: MessageSorts { .rtspRequest }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let request = step.clientRequest else { return }
        guard step.event.decrypted == nil else { return judgement.pass() }
        if let credentials = request.authorization {
            if ASCII.equalIgnoringCase(credentials.scheme, "Basic") {
                if habits.isNews("basic", step.event) {
                    judgement.fail(Text("RTSP-AUTH-CLEAR.basic"), expected: .wire("Digest"), subject: "basic")
                }
            } else {
                judgement.pass()
            }
        }
        guard let uri = request.uri else { return }
        // Secrets are found by octets, and equal strings may have different ones: none that has as many octets as one in ASCII.
        if let plainURI, uri == plainURI, uri.utf8.count == plainURI.utf8.count { return }
        guard SecretPolicy.containsSecret(uri: uri) else {
            if uri.isASCII { plainURI = uri }
            return
        }
        if habits.isNews("uri", step.event) {
            judgement.fail(Text("RTSP-AUTH-CLEAR.uri"), actual: .wire(uri: uri), subject: "uri")
        }
    }
}
