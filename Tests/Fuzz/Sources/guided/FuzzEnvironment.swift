import Foundation

/// The environment of the program.
enum FuzzEnvironment {
    /// Returns the value of a variable, or nil if it is not set.
    static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
