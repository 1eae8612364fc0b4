import ArgumentParser
import WeirCapture

/// The permission to capture: how to obtain it, and how to drop it.
enum CapturePermission {
    /// The exit code for missing permission (`EX_NOPERM` of sysexits).
    static let missing = ExitCode(77)

    /// Advice on how to obtain it.
    static var advice: String {
        #if os(Linux)
            let program = Privileges.program ?? "$(command -v weir)"
            return "to allow everyone who can run weir to capture with it:\n"
                + "      sudo setcap cap_net_raw=ep \(quoted(program))"
        #else
            return "capturing requires root: sudo weir live …"
        #endif
    }

    /// The user that weir runs as once the interfaces are open.
    enum Identity {
        /// The calling user, without additional privileges.
        case caller
        /// The user given as an option, or the one who called sudo.
        case user(Privileges.User)
        /// The user nobody, if root did not name another one.
        case nobody(Privileges.User)
        /// Root, as requested.
        case root
    }

    /// Drops all privileges needed to open the interfaces, before the first packet is processed.
    static func giveUp(for identity: Identity) throws {
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
    }

    /// Returns the user to run as.
    ///
    /// - Parameters:
    ///   - name: The user to run as, if given. Defaults to the user who called sudo, or to nobody if that is unknown
    ///     or root.
    ///   - staysRoot: Whether to stay root.
    static func identity(_ name: String?, staysRoot: Bool) throws -> Identity {
        guard Privileges.isRoot else {
            guard name == nil, !staysRoot else {
                throw ValidationError(
                    plain: "\(staysRoot ? "--stay-root" : "--user") requires root, as with sudo.")
            }
            return .caller
        }
        if staysRoot { return .root }
        if let name {
            guard let user = Privileges.user(name) else { throw ValidationError(plain: "There is no user '\(name)'.") }
            guard user.number != 0 else {
                throw ValidationError(plain: "--user \(name) does not drop privileges: use --stay-root.")
            }
            return .user(user)
        }
        if let user = Privileges.sudoUser, user.number != 0 {
            // A user in root's group must not keep that group.
            guard user.group == 0 else { return .user(user) }
            if let own = Privileges.user(String(user.number)), own.group != 0 { return .user(own) }
        }
        guard let nobody = Privileges.user("nobody"), nobody.number != 0 else {
            StandardError.write("weir: there is no user nobody to run as; \(choice)\n")
            throw missing
        }
        return .nobody(nobody)
    }

    /// Advice on how to run as a user other than nobody.
    static let choice = "--user NAME runs as another user, --stay-root as root"

    /// Returns a path quoted for a shell.
    private static func quoted(_ path: String) -> String {
        guard path.contains(where: { " '\"\\*?[&;|<>`".contains($0) }) else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
