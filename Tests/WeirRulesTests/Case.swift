import CaptureTesting
import Testing

/// A conversation that breaks a rule (a valid one with parts replaced), and the expected findings.
struct Case<Script: Sendable>: Sendable, CustomTestStringConvertible {
    var rule: String
    var script: Script
    var edits: [(String, String)]
    /// `severity key` and the quirk, in order.
    var said: [String]

    init(_ rule: String, _ script: Script, _ edits: [(String, String)], _ said: String...) {
        self.rule = rule
        self.script = script
        self.edits = edits
        self.said = said.map { line in
            var words = line.split(separator: " ").map(String.init)
            words[1] = "\(rule).\(words[1])"
            return words.joined(separator: " ")
        }
    }

    var testDescription: String { "\(rule): \(said.joined(separator: ", "))" }
}

typealias RTSPCase = Case<Transcript>
typealias RTMPCase = Case<RTMPScript>
