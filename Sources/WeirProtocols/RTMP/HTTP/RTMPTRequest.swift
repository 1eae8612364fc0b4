import WeirPackets

/// What a request of RTMPT asks for: `/send/SESSION/NUMBER` and the like.
struct RTMPTRequest: Sendable, Hashable {
    enum Command: String, Sendable, Hashable {
        /// Begin a session.
        case open
        /// The body is what the client says.
        case send
        /// Is there anything to hear?
        case idle
        /// End the session.
        case close
        /// What is the address of this very server? Flash Player asks before `open`, so that all requests of a session
        /// reach the same one of many; servers that do not know it say 404, and all goes on.
        case ident
    }

    /// Letters and digits of the longest session name that is believed.
    private static let longestSession = 64

    /// Nil for a request of another kind.
    let command: Command?
    /// Empty for `open`.
    let session: String

    /// A request that is not known.
    init() {
        command = nil
        session = ""
    }

    /// Reads the target of a request; nil when it is none of RTMPT.
    init?(_ target: String) {
        if target == "/fcs/ident2" || target == "/fcs/ident" {
            (command, session) = (.ident, "")
            return
        }
        let parts = target.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.count <= 4, parts[0].isEmpty, let command = Command(rawValue: String(parts[1])),
            command != .ident,
            Self.isName(parts[2])
        else { return nil }
        self.command = command
        session = command == .open ? "" : String(parts[2])
    }

    /// The session that the body of an answer to `open` names.
    static func session(_ body: [UInt8]) -> String? {
        let name = String(decoding: body, as: UTF8.self).split { $0.isWhitespace }.first ?? ""
        return isName(name) ? String(name) : nil
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= longestSession
            && text.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }
}
