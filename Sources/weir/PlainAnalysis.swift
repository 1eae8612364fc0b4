import ArgumentParser
import WeirEngine
import WeirPackets
import WeirReports

// `weir FILE…` without an option, as most often, needs no parser: what ArgumentParser looks up takes half of the startup
// time. The values are those of the declarations.

extension Analyze {
    /// Creates the command from arguments that are all names of files; returns nil if one may be an option.
    init?(files: [String]) {
        guard !files.isEmpty, files.allSatisfy({ $0.utf8.first != UInt8(ascii: "-") }) else { return nil }
        self.init()
        var input = InputOptions()
        input.files = files
        self.input = input
        reading = .unset
        var jobs = JobsOption()
        jobs.jobs = nil
        self.jobs = jobs
        show = .unset
        format = .text
        text = .unset
        packets = false
        writeDecrypted = nil
    }
}

extension AnalysisOptions {
    /// The options if none is given.
    fileprivate static var unset: Self {
        var options = Self()
        options.filter = nil
        options.decodeAs = []
        options.descriptions = []
        options.memoryLimit = OctetCount(Limits().memoryOctets)
        var signaling = SignalingOption()
        signaling.signaling = nil
        options.signaling = signaling
        var decryption = DecryptionOptions()
        decryption.keyLogs = []
        decryption.srtpKeys = nil
        decryption.srtPassphrases = nil
        options.decryption = decryption
        return options
    }
}

extension OutputOptions {
    /// The options if none is given.
    fileprivate static var unset: Self {
        var options = Self()
        options.output = "-"
        options.protocols = []
        options.flow = []
        options.from = nil
        options.to = nil
        options.time = .offset
        options.session = []
        options.maxEvents = HTMLReport.mostEvents
        options.explain = .first
        options.noNotes = false
        options.lang = .english
        options.revealSecrets = false
        options.color = .auto
        options.quiet = false
        options.verbose = false
        return options
    }
}

extension TimelineOptions {
    /// The options if none is given.
    fileprivate static var unset: Self {
        var options = Self()
        options.overview = false
        options.timeline = false
        options.habits = false
        return options
    }
}
