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
        guard !output.hasSuffix(".gz"), !output.hasSuffix(".zst") else {
            throw ValidationError(plain: "The copy is written uncompressed: name it .pcap or .pcapng.")
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
        for name in [file, output] where unsafe process_is_special(name) {
            throw ValidationError(
                plain:
                    "\(name) is a pipe or a device: captures are read several times, and a copy is removed if a proof fails."
            )
        }
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

    /// Other keys that are tried if compressed messages do not fit, and if a proof fails.
    private static let otherKeys = (messages: 8, proofs: 2)

    private func redact(_ options: RedactionOptions) throws {
        let mapping = try mapping()
        // Under another name until it is proved, so that no other file is lost if it is not.
        let part = output + ".part"
        var redaction = try prepared(options, mapping)
        var reasons = try differences(redaction, part)
        // With a few keys, noise looks like a message.
        for _ in 0..<Self.otherKeys.proofs where !reasons.isEmpty && !mapping.isRead {
            redaction = try prepared(options, MappingFile())
            reasons = try differences(redaction, part)
        }
        guard reasons.isEmpty else {
            try fail(redaction, part, reasons)
            throw ExitCode(1)
        }
        try finish(redaction, part)
        if !quiet { StandardError.write("weir: \(output) has the same story, and nothing that was replaced\n") }
        if let damage = redaction.damage {
            StandardError.write("weir: \(damage); what comes before is in \(output)\n")
            throw ExitCode(2)
        }
    }

    /// Writes the copy, and returns why a proof failed.
    private func differences(_ redaction: Redaction, _ part: String) throws -> [String] {
        let copy = try FileOutput(part)
        try redaction.write(application: "weir \(Version.number)") { copy.write($0) }
        try copy.close()
        do {
            try redaction.prove(part)
            return []
        } catch RedactionError.limit(let limit) {
            unsafe process_remove(part)
            StandardError.write("weir: there is no \(output), since its proofs were not made: \(limit)\n")
            throw ExitCode(2)
        } catch RedactionError.proof(let reasons) {
            return reasons
        }
    }

    private func fail(_ redaction: Redaction, _ part: String, _ reasons: [String]) throws {
        if redaction.misfits > 0 {
            StandardError.write(
                "weir: no replacement was found for \(redaction.misfits) compressed messages that has their length\n")
        }
        for reason in reasons { StandardError.write("weir: \(output): \(reason)\n") }
        if keepFailed {
            try finish(redaction, part)
            StandardError.write("weir: a proof failed: do not share \(output)\n")
        } else {
            unsafe process_remove(part)
            StandardError.write("weir: there is no \(output), since a proof failed\n")
        }
    }

    /// Prepares a redaction whose compressed messages fit, if one is found.
    private func prepared(_ options: RedactionOptions, _ mapping: MappingFile) throws -> Redaction {
        do {
            var redaction = try Redaction(file, options, mapping)
            for _ in 0..<Self.otherKeys.messages where redaction.misfits > 0 && !mapping.isRead {
                redaction = try Redaction(file, options, MappingFile())
            }
            return redaction
        } catch RedactionError.limit(let limit) {
            StandardError.write("weir: \(file) is not redacted: \(limit)\n")
            throw ExitCode(2)
        }
    }

    /// Writes the mapping, and gives the copy its name.
    private func finish(_ redaction: Redaction, _ part: String) throws {
        do {
            try writeMap(redaction)
        } catch {
            unsafe process_remove(part)
            throw error
        }
        guard unsafe process_rename(part, output) else {
            unsafe process_remove(part)
            StandardError.write("weir: cannot write \(output)\n")
            throw ExitCode(2)
        }
    }

    /// Writes the mapping of this capture and of those before into a file that only the user may read.
    private func writeMap(_ redaction: Redaction) throws {
        guard let map else { return }
        let part = map + ".part"
        unsafe process_remove(part)
        let file = try FileOutput(part, isSecret: true)
        file.write(Array(redaction.map.utf8))
        try file.close()
        guard unsafe process_rename(part, map) else {
            unsafe process_remove(part)
            StandardError.write("weir: cannot write \(map)\n")
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
}
