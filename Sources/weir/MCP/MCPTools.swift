import CProcess
import WeirCapture
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tools of `weir mcp`: bounded answers about captures in some folders, which nothing changes.
struct MCPTools {
    /// An error that the assistant can mend.
    struct Failure: Error {
        var reason: String
    }

    /// The maximum octets of a text answer, records of an answer, and octets of extracted media.
    private static let (mostText, mostRecords, mostMedia) = (60_000, 200, 1_000_000)
    /// Records of an answer, if no limit is given.
    private static let usualRecords = 50

    private struct Tool {
        var name: String
        var about: String
        /// Name, type and description of arguments; those with `!` are required.
        var arguments: [(name: String, type: String, about: String)]
    }

    private static let file = (name: "file!", type: "string", about: "The capture: a path inside one of the folders.")
    private static let session = (
        name: "session", type: "integer", about: "Only this session, as numbered in the overview."
    )
    private static let paging = [
        (name: "skip", type: "integer", about: "How many records to skip (default 0)."),
        (name: "limit", type: "integer", about: "The maximum number of records (default 50, at most 200)."),
    ]
    private static let tools = [
        Tool(
            name: "overview",
            about:
                "What happened in a capture: sessions with outcome and cause, streams, findings by rule. Begin with this.",
            arguments: [file]),
        Tool(
            name: "session", about: "One session: its record with causes, and its annotated timeline.",
            arguments: [file, (name: "session!", type: "integer", about: "The number of the session.")]),
        Tool(
            name: "events",
            about:
                "Messages and events as JSON records, with event id and frame number as evidence; in order, in parts.",
            arguments: [
                file, session, (name: "protocol", type: "string", about: "Only this protocol, such as rtsp."),
            ] + paging),
        Tool(
            name: "findings", about: "Violated rules as JSON records, with clause, frame and event.",
            arguments: [file, session] + paging),
        Tool(
            name: "rule", about: "A rule: what it checks by which clause, why it matters, how to fix it, examples.",
            arguments: [(name: "id!", type: "string", about: "The rule, such as RTSP-SESSION-ECHO.")]),
        Tool(
            name: "extract", about: "The media of one stream as a playable file, if it has at most 1 MB.",
            arguments: [file, (name: "stream!", type: "integer", about: "The number of the stream.")]),
    ]

    let folders: [String]

    /// The descriptions of all tools.
    static var list: MCPValue {
        .array(
            tools.map { tool in
                var properties: [String: MCPValue] = [:]
                var required: [MCPValue] = []
                for argument in tool.arguments {
                    let isRequired = argument.name.hasSuffix("!")
                    let name = isRequired ? String(argument.name.dropLast()) : argument.name
                    properties[name] = .object(["type": .string(argument.type), "description": .string(argument.about)])
                    if isRequired { required.append(.string(name)) }
                }
                return .object([
                    "name": .string(tool.name), "description": .string(tool.about),
                    "inputSchema": .object([
                        "type": .string("object"), "properties": .object(properties), "required": .array(required),
                        "additionalProperties": .bool(false),
                    ]),
                    "annotations": .object(["readOnlyHint": .bool(true), "openWorldHint": .bool(false)]),
                ])
            })
    }

    /// Returns the content of an answer.
    func call(_ name: String, _ arguments: MCPValue) throws(Failure) -> [MCPValue] {
        guard let tool = Self.tools.first(where: { $0.name == name }) else {
            throw Failure(reason: "there is no tool \(name)")
        }
        try check(arguments, tool)
        switch name {
        case "overview": return [try text(arguments, .overview)]
        case "session":
            var records = try self.records(["session", "stream"], arguments)
            guard records.total > 0 else { throw Failure(reason: "there is no such session") }
            records.text += "\n"
            return [Self.content(records.text), try text(arguments, .condensed)]
        case "events": return [Self.content(try records(["event"], arguments).text)]
        case "findings": return [Self.content(try records(["finding"], arguments).text)]
        case "rule": return [try rule(arguments)]
        default: return [try media(arguments)]
        }
    }

    private func check(_ arguments: MCPValue, _ tool: Tool) throws(Failure) {
        guard case .object(let members) = arguments else { throw Failure(reason: "arguments must be an object") }
        for argument in tool.arguments {
            let isRequired = argument.name.hasSuffix("!")
            let name = isRequired ? String(argument.name.dropLast()) : argument.name
            guard let value = members[name] else {
                if isRequired { throw Failure(reason: "\(name) is missing") }
                continue
            }
            guard argument.type == "string" ? value.text != nil : (value.integer ?? -1) >= 0 else {
                throw Failure(
                    reason: "\(name) must be \(argument.type == "string" ? "a string" : "an integer from 0 on")")
            }
        }
        if let unknown = members.keys.sorted().first(where: { name in
            !tool.arguments.contains { $0.name == name || $0.name == name + "!" }
        }) {
            throw Failure(reason: "\(tool.name) has no argument \(unknown)")
        }
    }

    // MARK: - Captures

    /// Returns the path of a capture, which must be in one of the folders, also behind links.
    private func path(_ arguments: MCPValue) throws(Failure) -> String {
        let name = arguments["file"]?.text ?? ""
        guard !name.isEmpty, !name.utf8.contains(0) else { throw Failure(reason: "file is empty") }
        for folder in folders {
            let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
            if unsafe process_is_inside(path, folder) { return path }
        }
        throw Failure(reason: "there is no such file in the folders of this server")
    }

    private func selection(_ arguments: MCPValue) -> Selection {
        var selection = Selection()
        if let session = arguments["session"]?.integer { selection.sessions = [session] }
        if let name = arguments["protocol"]?.text { selection.protocols = [name.lowercased()] }
        return selection
    }

    /// Analyzes a capture into a report. Returns why its end could not be read.
    private func analyze(_ path: String, _ selection: Selection, _ report: any Report) throws(Failure) -> String {
        var analysis = Analysis(path)
        analysis.judging.selection = selection
        let selected = SelectedFindings(selection, sink: report)
        let capture: CaptureFile
        do throws(CaptureError) {
            capture = try CaptureFile(path, filter: nil)
        } catch {
            throw Failure(reason: "\(error)")
        }
        var damage = ""
        do throws(CaptureError) {
            try analysis.run(capture, path, into: selection.isAll ? report : selected)
        } catch {
            damage = "\n\(error)\n"
        }
        report.finish()
        return damage
    }

    private func options(_ selection: Selection) -> ReportOptions {
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.selection = selection
        return options
    }

    private func text(_ arguments: MCPValue, _ extent: TextReport.Page.Extent) throws(Failure) -> MCPValue {
        let selection = selection(arguments)
        let output = TextBeginning(most: Self.mostText)
        var page = TextReport.Page()
        page.extent = extent
        let report = TextReport(options(selection), page: page, output: output) { MemorySpool() }
        let damage = try analyze(try path(arguments), selection, report)
        return Self.content(output.text + damage)
    }

    private func records(_ kinds: [String], _ arguments: MCPValue) throws(Failure) -> (text: String, total: Int) {
        let selection = selection(arguments)
        let (skip, limit) = (arguments["skip"]?.integer ?? 0, arguments["limit"]?.integer ?? Self.usualRecords)
        let most = (count: min(limit, Self.mostRecords), octets: Self.mostText)
        let output = RecordOutput(kinds, skipping: skip, most: most)
        let report = NDJSONReport(options(selection), output: output)
        let damage = try analyze(try path(arguments), selection, report)
        let last = skip + output.keptCount
        var text = String(decoding: output.kept, as: UTF8.self)
        text += "\(output.keptCount) of \(output.total) records"
        if last < output.total { text += "; skip=\(last) continues" }
        return (text + damage, output.total)
    }

    private func rule(_ arguments: MCPValue) throws(Failure) -> MCPValue {
        let id = (arguments["id"]?.text ?? "").uppercased()
        let rules = BuiltIn.rules.map { $0.info }.filter { $0.id == id }
        guard !rules.isEmpty else { throw Failure(reason: "there is no such rule") }
        return Self.content(rules.map(RulePage(.english, plugins: BuiltIn.plugins).explain).joined(separator: "\n"))
    }

    // MARK: - Media

    /// Media in memory, up to the bound.
    private final class Memory: MediaFile {
        var octets: [UInt8] = []
        var isTooLong = false

        func write(_ part: [UInt8]) {
            guard octets.count + part.count <= MCPTools.mostMedia else { return isTooLong = true }
            octets += part
        }

        func patch(_ patch: FilePatch) {
            guard patch.offset >= 0, patch.offset + patch.octets.count <= octets.count else { return }
            octets.replaceSubrange(patch.offset..<patch.offset + patch.octets.count, with: patch.octets)
        }

        func close() {}
    }

    /// Ignores everything: the media are what is wanted.
    private final class NoSink: ReportSink {
        var factPolicies: Set<SecretPolicy> { [] }
        var listsFlows: Bool { false }
    }

    private func media(_ arguments: MCPValue) throws(Failure) -> MCPValue {
        let (path, stream) = (try path(arguments), arguments["stream"]?.integer ?? 0)
        let memory = Memory()
        var analysis = Analysis(path)
        var name = "media"
        let extractor = MediaExtractor(isWanted: { $0 == stream }, limits: analysis.options.limits) { _, ending in
            name = "stream-\(stream).\(ending)"
            return memory
        }
        analysis.rules = []
        analysis.tap = extractor
        do throws(CaptureError) {
            try analysis.run(path, into: NoSink())
        } catch  where memory.octets.isEmpty {
            throw Failure(reason: "\(error)")
        } catch {}
        extractor.finish()
        guard let result = extractor.results.first else {
            throw Failure(reason: "there is no stream \(stream) whose media can be extracted")
        }
        if let problem = result.problem { throw Failure(reason: problem.reason) }
        guard !memory.isTooLong else {
            throw Failure(reason: "the media have more than \(Self.mostMedia) octets: use weir extract")
        }
        return .object([
            "type": .string("resource"),
            "resource": .object([
                "uri": .string("weir:///\(name)"), "mimeType": .string("application/octet-stream"),
                "blob": .string(Data(memory.octets).base64EncodedString()),
            ]),
        ])
    }

    /// Returns a text as content.
    static func content(_ text: String) -> MCPValue { .object(["type": .string("text"), "text": .string(text)]) }
}
