import ArgumentParser
import WeirCapture
import WeirEngine
import WeirKit
import WeirProtocols
import WeirReports

/// A copy of a capture with the secrets that decrypted it.
enum DecryptedCopy {
    /// Writes a new file with the packets of `file` and the used secrets, after the analysis.
    static func write(_ file: String, to name: String, _ options: AnalyzerOptions, quiet: Bool) throws(ExitCode) {
        var secrets = options.limits[DecryptionSettings.self].keys?.usedLines() ?? []
        defer { SecretMemory.overwrite(&secrets) }
        guard !secrets.isEmpty else {
            StandardError.write("weir: no secret of a key log was used: \(name) is not written\n")
            throw ExitCode(2)
        }
        let output = try FileOutput(name, isSecret: true)
        var failure: ExitCode?
        do throws(CaptureError) {
            try CaptureCopy.write(file, secrets: secrets, application: "weir \(Version.number)") { output.write($0) }
        } catch {
            // The analysis has told the damage of a packet.
            if error.frame == nil { StandardError.write("weir: \(error)\n") }
            failure = ExitCode(2)
        }
        try output.close()
        if !quiet {
            StandardError.write("weir: \(name) contains secrets: share it only with those who may read them\n")
        }
        if let failure { throw failure }
    }
}
