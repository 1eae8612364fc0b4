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

    /// Gives up everything that opening the interfaces took, before the first packet is looked at.
    ///
    /// - Parameter name: the user to run as, if one was asked for. Otherwise it is who called sudo.
    static func giveUp(name: String?, verbose: Bool) throws {
        var user: Privileges.User?
        if let name {
            user = Privileges.user(name)
            if user == nil { throw ValidationError("There is no user '\(name)'.") }
            guard Privileges.isRoot else { throw ValidationError("--user takes the superuser, as with sudo.") }
        } else if Privileges.isRoot {
            user = Privileges.sudoUser
        }
        do throws(Privileges.Failure) {
            if let user, user.number != 0 {
                try Privileges.drop(to: user)
                if verbose { StandardError.write("weir: runs as user \(user.number), group \(user.group) from here\n") }
            } else if !Privileges.isRoot {
                try Privileges.dropCapabilities()
            }
        } catch {
            StandardError.write("weir: \(error)\n")
            throw missing
        }
    }

    /// A path as a shell reads it as one word.
    private static func quoted(_ path: String) -> String {
        guard path.contains(where: { " '\"\\*?[&;|<>`".contains($0) }) else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
