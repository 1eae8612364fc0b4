import Foundation

/// What the caller of the program said.
enum FuzzEnvironment {
    /// A variable's value; nil where it is not set.
    static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
