import WeirPackets

/// The command of an RTMPT request: `/send/SESSION/NUMBER` and similar.
struct RTMPTRequest: Sendable, Hashable {
    enum Command: String, Sendable, Hashable {
        /// Opens a session.
        case open
        /// Sends client data in the body.
        case send
        /// Polls for server data.
        case idle
        /// Closes the session.
        case close
        /// Requests the address of the server. Flash Player sends it before `open`, so that all requests of a session
        /// reach the same server; servers without support respond with 404.
        case ident
    }

    /// The longest accepted session ID, in letters and digits.
    private static let longestSession = 64

    /// The command, or nil for other requests.
    let command: Command?
    /// The session ID; empty for `open`.
    let session: String

    /// Creates an unknown request.
    init() {
        command = nil
        session = ""
    }

    /// Parses the target of a request, or returns nil if it is not RTMPT.
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

    /// Returns the session ID in the body of a response to `open`.
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
