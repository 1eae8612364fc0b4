import WeirEngine
import WeirPackets

/// A rule for one description at a time; passes if there are no faults.
///
/// Of the origin it depends only on the types, of the session only on its kind, and not at all on the name: see
/// ``DescriptionTemplate``.
protocol DescriptionRule: Rule {
    /// Returns the violations in `description`, or nil if the rule does not apply.
    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]?
}

extension DescriptionRule {
    static var observes: [String] { ["sdp"] }
    static var dependsOnlyOnContent: Bool { true }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        judgement.conclude(faults(description, step), of: description)
    }
}

extension Judgement {
    /// Records the result of a rule; a description with unread lines is inconclusive.
    mutating func conclude(_ faults: [Fault]?, of description: SessionDescription) {
        guard let faults else {
            notApplicable()
            return
        }
        guard !description.has(.tooManyLines) else {
            inconclusive(Text("SDP.tooManyLines"))
            return
        }
        if faults.isEmpty { pass() }
        for fault in faults {
            fail(
                fault.message, expected: fault.expected, actual: fault.actual, quirk: fault.quirk,
                severity: fault.severity, reference: fault.reference, subject: fault.subject, range: fault.range)
        }
    }
}

extension SDPProblem {
    /// The subject of a finding about the line: its type and the media section.
    var subject: String {
        let letter = text.first.map(String.init) ?? ""
        return medium.map { "m\($0) \(letter)" } ?? letter
    }

    /// Text that identifies lines with keys or passwords.
    private static let secrets = ["crypto", "ice-pwd", "key-mgmt", "inline:"].map { Array($0.utf8) }

    /// The line for display; lines with keys or passwords are masked.
    var shown: Text {
        let plain = text.utf8.map(ASCII.lowercased)
        let isSecret =
            plain.first == UInt8(ascii: "k")
            || Self.secrets.contains { ASCII.range(of: $0, in: plain[...]) != nil }
        if isSecret { return Text("{0}", .secret(Text.clip(text))) }
        return TextSyntax.endOfScheme(text) != nil ? .wire(uri: text) : .wire(text)
    }
}

extension SessionDescription {
    /// Returns the parser's problems of these kinds.
    func problems(_ kinds: SDPProblem.Kind...) -> [SDPProblem] {
        problems.filter { kinds.contains($0.kind) }
    }

    /// Whether the parser recorded this kind of problem.
    func has(_ kind: SDPProblem.Kind) -> Bool {
        problems.contains { $0.kind == kind }
    }

    /// The media that are not rejected, with their indexes.
    var wantedMedia: [(index: Int, medium: MediaDescription)] {
        media.enumerated().filter { !isRejected($0.element) }.map { ($0.offset, $0.element) }
    }

    /// The groups whose media share a transport (RFC 9143 §5).
    var bundles: [[String]] { groups.filter { $0.semantics == "BUNDLE" }.map(\.members) }

    /// Whether another medium of the same `BUNDLE` group may provide this one's transport attributes: those of the
    /// tagged section, the first of the group, apply to all (RFC 9143 §7.1.3).
    func isCarriedByBundle(_ medium: MediaDescription) -> Bool {
        medium.mid.map { carried.contains($0) } ?? false
    }
}

extension Text {
    /// Creates a text whose first two arguments identify a medium: its number from 1, and its type.
    init(_ key: String, _ index: Int, _ medium: MediaDescription, _ arguments: Argument...) {
        self.init(key, arguments: [.integer(index + 1), .wire(medium.type)] + arguments)
    }
}

extension Fault {
    /// Creates a fault for a problem recorded by the parser.
    init(
        _ message: Text, line problem: SDPProblem, expected: Text? = nil, quirk: String? = nil,
        severity: Severity? = nil, reference: String? = nil
    ) {
        self.init(
            message, expected: expected, actual: problem.line > 0 ? problem.shown : nil, quirk: quirk,
            severity: severity, reference: reference, subject: problem.subject)
        if problem.line > 0 { range = problem.offset..<(problem.offset &+ problem.length) }
    }
}
