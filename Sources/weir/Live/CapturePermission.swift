import ArgumentParser
import WeirCapture

/// The right to capture: who has it, how to get it, and how it is given up.
enum CapturePermission {
    /// The exit code when it is missing (`EX_NOPERM` of sysexits).
    static let missing = ExitCode(77)

    /// The one command that grants it.
    static var advice: String {
        #if os(Linux)
            let program = Privileges.program ?? "$(command -v weir)"
            return "this command lets everybody who may run weir capture with it:\n"
                + "      sudo setcap cap_net_raw=ep \(quoted(program))"
        #else
            return "capturing takes the superuser: sudo weir live …"
        #endif
    }

    /// Who weir runs as once the interfaces are open.
    enum Identity {
        /// Who started it, without further rights.
        case caller
        /// The user that was named, or who called sudo.
        case user(Privileges.User)
        /// The user that owns nothing: root called, and named nobody else.
        case nobody(Privileges.User)
        /// Root, as was asked for.
        case root
    }

    /// Gives up everything that opening the interfaces took, before the first packet is looked at.
    ///
    /// - Parameters:
    ///   - name: the user to run as, if one was asked for. Otherwise it is who called sudo; when that is not known, or
    ///     is root again, it is nobody.
    ///   - staysRoot: root was asked for.
    static func giveUp(name: String?, staysRoot: Bool) throws -> Identity {
        let identity = try identity(name, staysRoot: staysRoot)
        do throws(Privileges.Failure) {
            switch identity {
            case .caller: try Privileges.dropCapabilities()
            case .user(let user), .nobody(let user): try Privileges.drop(to: user)
            case .root: break
            }
        } catch {
            StandardError.write("weir: \(error)\n")
            throw missing
        }
        return identity
    }

    private static func identity(_ name: String?, staysRoot: Bool) throws -> Identity {
        guard Privileges.isRoot else {
            guard name == nil, !staysRoot else {
                throw ValidationError(
                    plain: "\(staysRoot ? "--stay-root" : "--user") takes the superuser, as with sudo.")
            }
            return .caller
        }
        if staysRoot { return .root }
        if let name {
            guard let user = Privileges.user(name) else { throw ValidationError(plain: "There is no user '\(name)'.") }
            guard user.number != 0 else {
                throw ValidationError(plain: "--user \(name) gives up nothing: say --stay-root.")
            }
            return .user(user)
        }
        if let user = Privileges.sudoUser, user.number != 0 {
            // Who calls from root's group is not to keep it.
            guard user.group == 0 else { return .user(user) }
            if let own = Privileges.user(String(user.number)), own.group != 0 { return .user(own) }
        }
        guard let nobody = Privileges.user("nobody"), nobody.number != 0 else {
            StandardError.write("weir: there is no user nobody to run as; \(choice)\n")
            throw missing
        }
        return .nobody(nobody)
    }

    /// How to run as somebody else than nobody.
    static let choice = "--user NAME runs as another user, --stay-root as root"

    /// A path as a shell reads it as one word.
    private static func quoted(_ path: String) -> String {
        guard path.contains(where: { " '\"\\*?[&;|<>`".contains($0) }) else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
