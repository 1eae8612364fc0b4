import ArgumentParser
import SystemPackage
import WeirEngine
import WeirKit
import WeirProtocols
import WeirReports

/// The configuration of a check: options, profile and baseline.
struct CheckPlan {
    /// The names of a profile in the directory of the captures.
    private static let besideNames = ["weir.yml", "weir.yaml"]

    /// The profile.
    let profile: Profile
    /// The rules to check.
    let rules: [any Rule.Type]
    /// The accepted findings, or nil without a baseline.
    let baseline: Baseline?
    /// The file to write the findings to.
    let newBaseline: String?
    /// Whether to report the coverage of clauses.
    let withCoverage: Bool
    /// The profile file, if it was found next to the captures.
    let foundFile: String?

    /// Reads everything that `options` refer to. Reports an error on standard error and throws the exit code.
    init(_ options: RuleOptions, captures: [String]) throws(ExitCode) {
        let infos = BuiltIn.rules.map { $0.info }
        var (read, file) = try Self.profile(options, captures, infos)
        foundFile = options.profile == nil ? file : nil
        if let severity = options.failOn { read.profile.failOn = severity }
        if options.strict {
            read.profile.isStrict = true
            // Command-line options take precedence over the profile.
            if options.failOn == nil { read.profile.failOn = nil }
        }
        let only = options.only.flatMap(RuleOptions.ids).map { Pattern($0) }
        if !only.isEmpty { read.profile.only = only }
        for id in options.skipRule.flatMap(RuleOptions.ids) { read.profile.stances.append((Pattern(id), .off)) }
        let profile = read.profile
        self.profile = profile
        rules = BuiltIn.rules.filter { profile.includes($0.info.id) }
        withCoverage = options.coverage || read.withCoverage
        newBaseline = options.writeBaseline
        baseline = try Self.baseline(options, read.baseline, besides: file, infos)
    }

    /// The options of the rule engine.
    var judging: RuleEngine.Options { profile.judging(rules) }

    /// Returns a gate in front of `sink`.
    func gate(_ sink: any ReportSink) -> Gate {
        Gate(profile, rules: described, baseline: baseline, day: Calendar.today, sink: sink)
    }

    /// The rules to check, with their effective severities.
    var described: [RuleInfo] {
        rules.map { rule in
            var info = rule.info
            info.severity = profile.severity(of: info.id) ?? info.severity
            return info
        }
    }

    /// Returns the exit code of a check, and writes the baseline if requested.
    func conclude(_ gate: Gate) throws(ExitCode) -> ExitCode {
        if gate.run.judged == 0, gate.run.unread.isEmpty {
            StandardError.write("weir: no rule applied: this is no proof of conformance\n")
        }
        for waiver in gate.run.expired {
            StandardError.write(
                "weir: \(waiver.place): the waiver for \(waiver.rule) expired on \(waiver.expires ?? "")\n")
        }
        guard let newBaseline else { return gate.run.isFailed ? ExitCode(1) : .success }
        guard gate.run.isWhole else {
            StandardError.write("weir: \(newBaseline) is not written: not all captures could be read completely\n")
            return gate.run.isFailed ? ExitCode(1) : .success
        }
        let output = try FileOutput(newBaseline)
        output.write(Array(BaselineFile.text(gate.found).utf8))
        try output.close()
        // All findings are in the new baseline; an expired waiver still fails the check.
        return gate.run.expired.isEmpty ? .success : ExitCode(1)
    }
}

extension CheckPlan {
    private static func profile(
        _ options: RuleOptions, _ captures: [String], _ rules: [RuleInfo]
    ) throws(ExitCode) -> (CheckProfile, String?) {
        if let name = options.profile {
            let known = try catching { () throws(ProfileError) in try CheckProfile.named(name, rules: rules) }
            if let known { return (known, nil) }
        }
        let beside = options.profile == nil ? try beside(captures) : nil
        guard let file = options.profile ?? beside else {
            let standard = try catching { () throws(ProfileError) in
                try CheckProfile(yaml: "", file: "default", rules: rules)
            }
            return (standard, nil)
        }
        let text: String
        do throws(TextFile.Fault) {
            text = try TextFile.load(file)
        } catch {
            guard case .missing = error else { throw fail("the profile \(file) cannot be read: \(error)") }
            let hint = Nearest.hint(file, among: CheckProfile.builtIn)
            throw fail(
                "there is no profile \(file).\(hint) Available: \(CheckProfile.builtIn.joined(separator: ", ")).")
        }
        let read = try catching { () throws(ProfileError) in
            try CheckProfile(yaml: text, file: file, rules: rules) { try? TextFile.load(sibling($0, of: file)) }
        }
        return (read, file)
    }

    /// Returns the profile next to the captures, which must be the same for all of them.
    private static func beside(_ captures: [String]) throws(ExitCode) -> String? {
        var found: [String] = []
        for capture in captures where capture != "-" {
            for name in besideNames {
                let file = sibling(name, of: capture)
                if !found.contains(file), TextFile.exists(file) { found.append(file) }
            }
        }
        guard found.count < 2 else {
            throw fail("several profiles next to the captures (\(found.joined(separator: ", "))): use --profile")
        }
        return found.first
    }

    /// Returns a path relative to the directory of a file.
    private static func sibling(_ name: String, of file: String) -> String {
        guard !name.hasPrefix("/") else { return name }
        return FilePath(file).removingLastComponent().appending(name).string
    }

    private static func baseline(
        _ options: RuleOptions, _ named: String?, besides profile: String?, _ rules: [RuleInfo]
    ) throws(ExitCode) -> Baseline? {
        guard let file = options.baseline ?? named.map({ sibling($0, of: profile ?? "") }) else { return nil }
        let text: String
        do throws(TextFile.Fault) {
            text = try TextFile.load(file)
        } catch {
            guard case .missing = error else { throw fail("the baseline \(file) cannot be read: \(error)") }
            // The first baseline is written to the path in the profile.
            if options.baseline == nil, options.writeBaseline != nil { return Baseline() }
            throw fail("there is no baseline \(file); --write-baseline creates one")
        }
        return try catching { () throws(ProfileError) in
            try BaselineFile.read(text, file: file, rules: rules)
        }
    }

    private static func fail(_ reason: String) -> ExitCode {
        StandardError.write("weir: \(reason)\n")
        return .validationFailure
    }

    /// Reports an error in a file on standard error, and throws the exit code.
    private static func catching<Value>(_ body: () throws(ProfileError) -> Value) throws(ExitCode) -> Value {
        do {
            return try body()
        } catch {
            throw fail("\(error)")
        }
    }
}
