import WeirEngine

/// A profile as a file tells it: what the check asks for, and what else stands there.
package struct CheckProfile: Sendable {
    /// What the check asks for.
    package var profile: Profile
    /// The baseline's file, from the folder of the profile; nil when none is named.
    package var baseline: String?
    /// Whether to say which clauses were exercised.
    package var withCoverage = false

    /// The names of those that come with Weir.
    package static let builtIn = BuiltInProfiles.all.map(\.name)

    /// One that comes with Weir, as its file would be; nil when there is none of that name.
    package static func text(_ name: String) -> String? { BuiltInProfiles.all.first { $0.name == name }?.text }

    /// One that comes with Weir; nil when there is none of that name.
    package static func named(_ name: String, rules: [RuleInfo]) throws(ProfileError) -> Self? {
        guard let text = text(name) else { return nil }
        var read = try Self(yaml: text, file: name, rules: rules)
        read.profile.name = name
        return read
    }

    /// Reads a profile.
    ///
    /// - Parameters:
    ///   - yaml: the file's content.
    ///   - file: the file's name, for errors.
    ///   - rules: the rules that it may speak of.
    ///   - include: the content of another profile, by the name that `extends` gives.
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
