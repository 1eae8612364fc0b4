import ArgumentParser
import CProcess
import SystemPackage
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// The files with secrets for decryption. Secrets are never options themselves: command lines are visible to others.
struct DecryptionOptions: ParsableArguments {
    /// The size of a file of SRTP keys beyond which it is refused, in octets.
    private static let mostSRTPOctets = 4 << 20
    /// The faults of a file that are listed; further ones are counted.
    private static let mostFaults = 8

    @Option(
        name: .customLong("keylog"), parsing: .singleValue,
        help: ArgumentHelp(
            "Decrypt TLS with the secrets in this key log, as SSLKEYLOGFILE makes programs write it. Repeatable.",
            valueName: "file"),
        completion: .file())
    var keyLogs: [String] = []

    @Option(
        name: .customLong("srtp-keys"),
        help: ArgumentHelp(
            "Decrypt SRTP with the keys in this file: lines of SSRC (or *), profile, and master key with salt; or the "
                + "same as YAML. "
                + "Keys in captured session descriptions are used without it.",
            valueName: "file"),
        completion: .file())
    var srtpKeys: String?

    @Option(
        name: .customLong("srt-passphrase-file"),
        help: ArgumentHelp(
            "Decrypt SRT with the passphrases in this file, one a line.", valueName: "file"),
        completion: .file())
    var srtPassphrases: String?

    /// Reports the keys of a file that fit no packet of any capture.
    static func reportUnused(_ keys: SRTPKeyFile?) {
        guard let unused = keys?.unused, !unused.isEmpty else { return }
        for fault in unused.prefix(mostFaults) { StandardError.write("weir: \(fault)\n") }
        if unused.count > mostFaults {
            StandardError.write("weir: \(unused.count - mostFaults) further keys fit no packet\n")
        }
    }

    /// Reads the file with SRTP keys, and reports lines that cannot be used. Nil without a file.
    func srtpKeyFile() throws -> SRTPKeyFile? {
        guard let name = srtpKeys else { return nil }
        var text = try Self.text(name)
        defer { SecretMemory.overwrite(&text) }
        let (keys, faults) = SRTPKeyReader.parse(text, source: name)
        Self.report(faults, name)
        if keys.count == 0 { StandardError.write("weir: \(name) contains no key\n") }
        return keys
    }

    /// Reads the file with passphrases of SRT, and reports lines that cannot be used. Nil without a file.
    func srtPassphraseFile() throws -> SRTPassphraseFile? {
        guard let name = srtPassphrases else { return nil }
        var text = try Self.text(name)
        defer { SecretMemory.overwrite(&text) }
        let (file, faults) = SRTPassphraseFile.parse(text, source: name)
        Self.report(faults, name)
        if file.count == 0 { StandardError.write("weir: \(name) contains no passphrase\n") }
        return file
    }

    /// Reports the first faults of a file.
    private static func report(_ faults: [some CustomStringConvertible], _ name: String) {
        for fault in faults.prefix(mostFaults) { StandardError.write("weir: \(fault)\n") }
        guard faults.count > mostFaults else { return }
        StandardError.write("weir: \(name): \(faults.count - mostFaults) further lines cannot be used\n")
    }

    /// Returns the text of a small file with secrets, after which core dumps are off.
    private static func text(_ name: String) throws -> [UInt8] {
        _ = process_disable_core_dumps()
        var text: [UInt8] = []
        do {
            let file = try FileDescriptor.open(FilePath(name), .readOnly)
            defer { try? file.close() }
            while true {
                var part = try file.block()
                defer { SecretMemory.overwrite(&part) }
                if part.isEmpty { break }
                text += part
                guard text.count <= mostSRTPOctets else {
                    throw ValidationError(plain: "\(name): it is larger than \(mostSRTPOctets >> 20) MiB")
                }
            }
        } catch let error as Errno {
            throw ValidationError(plain: "\(name): \(error)")
        }
        return text
    }

    /// Reads the key logs, and reports lines that cannot be used. Nil without files.
    ///
    /// - Parameter isLive: Whether what is added to the files later is read, too.
    func keys(isLive: Bool) throws -> DecryptionKeys? {
        guard !keyLogs.isEmpty else { return nil }
        // Before the first secret is in memory.
        _ = process_disable_core_dumps()
        let files = try keyLogs.map { try KeyLogFile($0) }
        return DecryptionKeys(
            logs: try files.map { file in
                let (log, faults) = try file.read(isLive: isLive)
                Self.report(faults, log.source)
                if log.count == 0, !isLive { StandardError.write("weir: \(log.source) contains no secret\n") }
                return log
            })
    }

    /// Reports secrets that do not match, and files whose secrets belong to no connection that was captured.
    static func report(_ options: AnalyzerOptions, quiet: Bool) {
        for log in options.limits[DecryptionSettings.self].keys?.logs ?? [] {
            report(log.laterFaults, log.source)
            for fault in log.mismatches { StandardError.write("weir: \(fault)\n") }
            guard !quiet, log.count > 0 || log.grows, !log.hasFound, log.mismatches.isEmpty else { continue }
            let problem = log.count > 0 ? ": no secret belongs to a captured connection" : " contains no secret"
            StandardError.write("weir: \(log.source)\(problem)\n")
        }
        guard let file = options.limits[SRTSettings.self].passphrases else { return }
        if file.fitsNothing {
            StandardError.write("weir: \(file.source): no passphrase fits a captured SRT connection\n")
        }
        if file.isExhausted {
            StandardError.write("weir: \(file.source): too many SRT connections: passphrases were not tried for all\n")
        }
    }
}
