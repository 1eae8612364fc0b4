import CProcess

/// The privileges of the process, and how to drop them once the interfaces are open.
package enum Privileges {
    /// A user to run as.
    package struct User: Sendable, Hashable {
        /// The user ID.
        package let number: UInt32
        /// The group ID.
        package let group: UInt32
    }

    /// A failure to drop privileges. Network data must not be processed after it.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// A description of the failure.
        package let description: String
    }

    /// Whether the process runs as root.
    package static var isRoot: Bool { process_is_root() }

    /// The user who called sudo; nil without sudo.
    package static var sudoUser: User? { User(process_sudo_user()) }

    /// Returns the user with a name or number, or nil if there is none.
    package static func user(_ name: String) -> User? {
        // Sound: the string is not retained.
        unsafe User(process_find_user(name))
    }

    /// Switches to `user` permanently, without any capability, and verifies that the change cannot be reverted.
    package static func drop(to user: User) throws(Failure) {
        let given = process_user(user: user.number, group: user.group, is_known: true)
        try check(process_drop_to(given), "as user \(user.number)")
    }

    /// Drops all capabilities permanently; the user stays the same.
    package static func dropCapabilities() throws(Failure) {
        try check(process_drop_capabilities_now(), "without capabilities")
    }

    /// The path of the running program; nil if the system does not provide it.
    package static var program: String? {
        var path = [CChar](repeating: 0, count: 4096)
        // Sound: the array has as many octets as passed.
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
        case process_drop_capabilities: failed = "capabilities cannot be dropped"
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
