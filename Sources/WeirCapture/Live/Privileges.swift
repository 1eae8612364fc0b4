import CProcess

/// What a program may do, and how it gives that up once the interfaces are open.
package enum Privileges {
    /// A user to run as.
    package struct User: Sendable, Hashable {
        /// The user's number.
        package let number: UInt32
        /// The number of the user's group.
        package let group: UInt32
    }

    /// Why privileges could not be given up. Nothing that came from a network must be looked at then.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// What went wrong, in words.
        package let description: String
    }

    /// Whether this process has the rights of the superuser.
    package static var isRoot: Bool { process_is_root() }

    /// The user who called sudo; nil without sudo.
    package static var sudoUser: User? { User(process_sudo_user()) }

    /// The user with a name or number; nil when there is none.
    package static func user(_ name: String) -> User? {
        // Sound: the text is not kept.
        unsafe User(process_find_user(name))
    }

    /// Runs as `user` from now on, for good, without any capability; read back, and verified that there is no way back.
    package static func drop(to user: User) throws(Failure) {
        let given = process_user(user: user.number, group: user.group, is_known: true)
        try check(process_drop_to(given), "as user \(user.number)")
    }

    /// Gives up what capabilities there are, for good; the user stays the same.
    package static func dropCapabilities() throws(Failure) {
        try check(process_drop_capabilities_now(), "without capabilities")
    }

    /// The path of the running program; nil when the system does not tell.
    package static var program: String? {
        var path = [CChar](repeating: 0, count: 4096)
        // Sound: the array holds as many octets as are told.
        let length = unsafe process_path(&path, Int32(path.count))
        guard length > 0 else { return nil }
        return String(decoding: path.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func check(_ step: process_drop_step, _ aim: String) throws(Failure) {
        let failed: String
        switch step {
        case process_drop_done: return
        case process_drop_groups: failed = "its supplementary groups cannot be set"
        case process_drop_group: failed = "its group cannot be set"
        case process_drop_user: failed = "the user cannot be set"
        case process_drop_capabilities: failed = "capabilities cannot be given up"
        default: failed = "privileges could be regained"
        }
        throw Failure(description: "cannot run \(aim): \(failed)")
    }
}

extension Privileges.User {
    fileprivate init?(_ user: process_user) {
        guard user.is_known else { return nil }
        self.init(number: user.user, group: user.group)
    }
}
