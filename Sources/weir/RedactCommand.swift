import ArgumentParser
import CProcess
import WeirCapture
import WeirRedaction
import WeirReports

/// `weir redact`: a copy of a capture that can be shared.
struct RedactCommand: ParsableCommand {
    /// What can be kept.
    enum Kept: String, ExpressibleByArgument, CaseIterable {
        case addresses, names, media
    }

    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Copy a capture without what names someone or is secret, with the same story.",
        discussion: """
            Replaces addresses, names, secrets and media content at their length, everywhere in the capture equally; times \
            stay, and checksums are right. What cannot be read is blanked. Afterwards both captures are analyzed: unless \
            all records agree, and nothing that was replaced can be found in the copy, the copy is removed.

            Secrets are replaced whatever is kept. Exit code 1: a proof failed. 2: the capture could not be read.

            Examples:
              weir redact camera.pcap -o shared.pcap
              weir redact sender.pcap -o a.pcap --map case.map
              weir redact receiver.pcap -o b.pcap --map case.map
            """
    )

    @Argument(
        help: ArgumentHelp("The capture file, pcap or pcapng, plain or compressed.", valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var file: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "Keep some of: addresses, names, media; several are separated by commas.", valueName: "kinds"))
    var keep: String?

    @Option(
        help: ArgumentHelp(
            """
            A file with the mapping, which is secret. It is used if it exists, and written otherwise, so that several \
            captures are replaced alike.
            """, valueName: "file"), completion: .file())
    var map: String?

    @Flag(help: "Keep the copy although a proof fails.")
    var keepFailed = false

    @Flag(name: .shortAndLong, help: "Do not show informational messages.")
    var quiet = false

    func validate() throws {
        guard file != "-", output != "-" else {
            throw ValidationError(
                plain: "Captures are read several times: name files instead of standard input and output.")
        }
        _ = try kept()
    }

    private func kept() throws -> Set<Kept> {
        Set(
            try (keep?.split(separator: ",", omittingEmptySubsequences: false) ?? []).map { name in
                guard let kept = Kept(rawValue: String(name)) else {
                    throw ValidationError(plain: "'\(name)' cannot be kept: name addresses, names or media.")
                }
                return kept
            })
    }

    func run() throws {
        try OutputNames.check(written: [output, map].compactMap(\.self), read: [file])
        var options = RedactionOptions()
        let kept = try kept()
        options.keepsAddresses = kept.contains(.addresses)
        options.keepsNames = kept.contains(.names)
        options.keepsMedia = kept.contains(.media)
        do {
            try redact(options)
        } catch let error as CaptureError {
            StandardError.write("weir: \(error)\n")
            throw ExitCode(2)
        }
    }

    private func redact(_ options: RedactionOptions) throws {
        let mapping = try mapping()
        let redaction: Redaction
        do {
            redaction = try Redaction(file, options, mapping)
        } catch RedactionError.limit(let limit) {
            StandardError.write("weir: \(file) is not redacted: \(limit)\n")
            throw ExitCode(2)
        }
        let copy = try FileOutput(output)
        try redaction.write(application: "weir \(Version.number)") { copy.write($0) }
        try copy.close()
        do {
            try redaction.prove(output)
        } catch RedactionError.limit(let limit) {
            unsafe process_remove(output)
            StandardError.write("weir: the proofs of \(output) were not made, and it was removed: \(limit)\n")
            throw ExitCode(2)
        } catch RedactionError.proof(let reasons) {
            for reason in reasons { StandardError.write("weir: \(output): \(reason)\n") }
            guard !keepFailed else {
                StandardError.write("weir: a proof failed: do not share \(output)\n")
                try writeMap(redaction, hasMap: mapping.isRead)
                throw ExitCode(1)
            }
            unsafe process_remove(output)
            StandardError.write("weir: a proof failed: \(output) was removed\n")
            throw ExitCode(1)
        }
        try writeMap(redaction, hasMap: mapping.isRead)
        if !quiet { StandardError.write("weir: \(output) has the same story, and nothing that was replaced\n") }
        if let damage = redaction.damage {
            StandardError.write("weir: \(damage); what comes before is in \(output)\n")
            throw ExitCode(2)
        }
    }

    private func mapping() throws -> MappingFile {
        guard let map else { return MappingFile() }
        do {
            return try MappingFile(try TextFile.load(map))
        } catch TextFile.Fault.missing {
            return MappingFile()
        } catch let fault as MappingFile.Fault {
            StandardError.write("weir: \(map):\(fault.line): \(fault.reason)\n")
            throw ExitCode(2)
        } catch let fault as TextFile.Fault {
            StandardError.write("weir: \(map): \(fault)\n")
            throw ExitCode(2)
        }
    }

    private func writeMap(_ redaction: Redaction, hasMap: Bool) throws {
        guard let map else { return }
        // A file that was read is written anew, with the names of this capture, too.
        let file = try FileOutput(map, isSecret: !hasMap)
        file.write(Array(redaction.map.utf8))
        try file.close()
    }
}
