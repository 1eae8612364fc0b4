import ArgumentParser
import WeirReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `weir mcp`: answers an assistant by the Model Context Protocol over standard input and output.
struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Answer an assistant (Model Context Protocol over standard input and output).",
        discussion: """
            Reads JSON-RPC messages, one a line, and offers the tools overview, session, events, findings, rule and \
            extract. Answers are bounded and name frames and events as evidence. Only captures in the given folders \
            are read; nothing is written and nothing is sent. Secrets are masked.

            Example:
              weir mcp --root captures
            """
    )

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A folder with captures (default: the current one). Repeatable.", valueName: "folder"))
    var root: [String] = []

    /// The versions of the protocol, newest last.
    private static let versions = ["2024-11-05", "2025-03-26", "2025-06-18"]
    /// The maximum octets of a message.
    private static let longest = 1_000_000

    func run() throws {
        let tools = MCPTools(folders: root.isEmpty ? ["."] : root)
        while let line = readLine() {
            guard let answer = answer(line, tools) else { continue }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try FileOutput.print(String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n")
        }
    }

    /// Returns the answer to a message, or nil if it is a notification.
    private func answer(_ line: String, _ tools: MCPTools) -> MCPValue? {
        guard line.utf8.count <= Self.longest,
            let message = try? JSONDecoder().decode(MCPValue.self, from: Data(line.utf8))
        else { return Self.error(-32700, "not JSON", .null) }
        guard let method = message["method"]?.text else {
            return message["id"] == nil ? Self.error(-32600, "no method", .null) : nil
        }
        guard let id = message["id"] else { return nil }
        let parameters = message["params"] ?? .object([:])
        switch method {
        case "initialize":
            let asked = parameters["protocolVersion"]?.text ?? ""
            let version = Self.versions.contains(asked) ? asked : Self.versions.last ?? asked
            return Self.result(
                [
                    "protocolVersion": .string(version), "capabilities": .object(["tools": .object([:])]),
                    "serverInfo": .object(["name": .string("weir"), "version": .string(Version.number)]),
                ], id)
        case "ping": return Self.result([:], id)
        case "tools/list": return Self.result(["tools": MCPTools.list], id)
        case "tools/call":
            do throws(MCPTools.Failure) {
                let content = try tools.call(
                    parameters["name"]?.text ?? "", parameters["arguments"] ?? .object([:]))
                return Self.result(["content": .array(content), "isError": .bool(false)], id)
            } catch {
                return Self.result(
                    ["content": .array([MCPTools.content(error.reason)]), "isError": .bool(true)], id)
            }
        default: return Self.error(-32601, "no such method", id)
        }
    }

    private static func result(_ members: [String: MCPValue], _ id: MCPValue) -> MCPValue {
        .object(["jsonrpc": .string("2.0"), "id": id, "result": .object(members)])
    }

    private static func error(_ code: Int, _ reason: String, _ id: MCPValue) -> MCPValue {
        .object([
            "jsonrpc": .string("2.0"), "id": id,
            "error": .object(["code": .integer(code), "message": .string(reason)]),
        ])
    }
}
