import WeirEngine

/// The content of a profile file: the profile, and settings of the command.
package struct CheckProfile: Sendable {
    /// The profile.
    package var profile: Profile
    /// The path of the baseline relative to the profile, or nil if none is given.
    package var baseline: String?
    /// Whether to report the coverage of clauses.
    package var withCoverage = false

    /// The names of the built-in profiles.
    package static let builtIn = BuiltInProfiles.all.map(\.name)

    /// Returns the YAML of a built-in profile, or nil if there is none of that name.
    package static func text(_ name: String) -> String? { BuiltInProfiles.all.first { $0.name == name }?.text }

    /// Returns a built-in profile, or nil if there is none of that name.
    package static func named(_ name: String, rules: [RuleInfo]) throws(ProfileError) -> Self? {
        guard let text = text(name) else { return nil }
        var read = try Self(yaml: text, file: name, rules: rules)
        read.profile.name = name
        return read
    }

    /// Parses a profile.
    ///
    /// - Parameters:
    ///   - yaml: The content of the file.
    ///   - file: The file name, for errors.
    ///   - rules: The rules that it may refer to.
    ///   - include: Returns the content of another profile named by `extends`.
    package init(
        yaml: String, file: String, rules: [RuleInfo], include: @escaping (String) -> String? = { _ in nil }
    ) throws(ProfileError) {
        var reader = ProfileReader(file: file, rules: rules, include: include, depth: 0)
        self = try reader.read(yaml)
    }

    init(profile: Profile) {
        self.profile = profile
    }
}
