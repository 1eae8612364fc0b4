import ArgumentParser
import CProcess
import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirReports

/// A run of `weir live`: opens the interfaces, drops privileges, captures until a stop condition, and reports.
final class LiveRun {
    /// The timeout when waiting for packets, in milliseconds, which also updates the clock and the footer.
    private static let pause = 250
    /// The idle time, in milliseconds, after which the kernel has delivered all earlier packets.
    private static let settling = 60
    /// The delay of the analysis clock in nanoseconds, so that no packet is late.
    private static let margin: Int64 = 1_000_000_000
    /// The minimum clock change, in nanoseconds; gradual corrections by a time service are smaller.
    private static let clockStep: UInt64 = 200_000_000

    private let capture: LiveCapture
    private let output: FileOutput
    private let report: any Report
    private let analyzer: Analyzer
    private let options: AnalyzerOptions
    private let plan: CheckPlan
    private let checks: CheckReports
    private let gate: Gate
    private let watch: StopConditionMonitor
    private let files: CaptureFiles?
    private let footer: LiveFooter
    private let signals: Int32
    private let command: Live
    private let name: String

    private var batch = FrameBatch()
    private var octets = 0
    /// The end of the capture; later packets are ignored.
    private var end: Timestamp?
    private var code = ExitCode.success
    private var damage: Damage?
    /// The number of lost interfaces reported so far.
    private var losses = 0
    /// How far the clock is ahead of a monotonic clock, in nanoseconds.
    private var clockLead: Int64

    /// Opens the interfaces, which may need privileges, then drops those and opens the files, so that they belong to
    /// the user. Root without a user to run as, as in containers, opens the capture file itself: nobody can hardly write
    /// anywhere.
    init(_ command: Live) throws {
        self.command = command
        plan = try CheckPlan(command.judging, captures: [])
        let filter = try command.reading.captureFilter()
        name = command.source.interfaces.joined(separator: ",")
        capture = try Self.open(command.source.capture(filter))
        // The files with keys may be readable for root alone.
        var options = try command.reading.analyzerOptions(isLive: true)
        let identity = try CapturePermission.identity(command.source.user, staysRoot: command.source.stayRoot)
        var opened: CaptureFiles?
        if case .nobody = identity, let plan = command.source.plan, !plan.rotates {
            opened = try Self.files(plan, capture, filter)
        }
        try CapturePermission.giveUp(for: identity)
        // Another user makes the process dumpable again.
        if options.limits[DecryptionSettings.self].keys != nil { _ = process_disable_core_dumps() }
        Self.emit(identity, command.show)
        for warning in capture.warnings where !command.show.quiet { StandardError.write("weir: \(warning)\n") }
        do {
            files = try opened ?? Self.files(command.source.plan, capture, filter)
            output = try FileOutput(command.show.output)
        } catch {
            if case .nobody = identity {
                StandardError.write(
                    "weir: reports and rotated files are opened as nobody; \(CapturePermission.choice)\n")
            }
            throw error
        }
        var kept: [String: String] = [:]
        kept[name] = command.source.write
        var checks = try CheckReports(command.show, withCoverage: plan.withCoverage, files: kept)
        for request in command.judging.report { try checks.add(request.format, to: request.file) }
        let footer = LiveFooter(quiet: command.show.quiet, color: command.show.color)
        self.footer = footer
        let timeline = try command.timeline(FooterOutput(output, footer), output, &checks)
        self.checks = checks
        report = ReportGroup([timeline] + checks.reports)
        options.showsEncrypted = command.show.verbose
        options.isFiltered = filter != nil
        options.packets = command.packets
        watch = StopConditionMonitor(command.until, report)
        gate = plan.gate(watch)
        self.options = options
        let judge = RuleEngine(rules: plan.rules, of: BuiltIn.plugins, options: plan.judging, sink: gate)
        analyzer = Analyzer(options: options, sink: judge)
        signals = process_watch_signals()
        clockLead = LiveCapture.clockLead()
        if let duration = command.source.duration {
            end = Timestamp(nanoseconds: LiveCapture.now().nanoseconds &+ Int64(duration.value * 1e9))
        }
    }

    /// Reports the effective user if it is not the caller.
    private static func emit(_ identity: CapturePermission.Identity, _ show: OutputOptions) {
        switch identity {
        case .user(let user) where !show.quiet:
            let group = show.verbose ? ", group \(user.group)" : ""
            StandardError.write("weir: now runs as user \(user.number)\(group)\n")
        case .nobody(let user) where !show.quiet:
            StandardError.write("weir: now runs as nobody (user \(user.number)); \(CapturePermission.choice)\n")
        case .root where !show.quiet:
            StandardError.write("weir: stays root, with all privileges (--stay-root)\n")
        case .caller, .user, .nobody, .root: break
        }
    }

    private static func open(_ options: LiveCapture.Options) throws -> LiveCapture {
        do throws(LiveError) {
            return try LiveCapture(options)
        } catch {
            StandardError.write("weir: \(error)\n")
            switch error.kind {
            case .permissionDenied:
                StandardError.write("weir: \(CapturePermission.advice)\n", keepingLines: true)
                throw CapturePermission.missing
            case .filter:
                throw ExitCode.validationFailure
            default:
                throw ExitCode(2)
            }
        }
    }

    private static func files(
        _ plan: CaptureFiles.Plan?, _ capture: LiveCapture, _ filter: CaptureFilter?
    ) throws -> CaptureFiles? {
        guard let plan else { return nil }
        let encoder = CaptureEncoder(
            plan.format, interfaces: capture.interfaces, filter: filter?.expression,
            application: "weir \(Version.number)")
        guard let encoder else {
            throw ValidationError(
                plain: "The interfaces have different link types, which pcap does not support: write a .pcapng file.")
        }
        do throws(CaptureFiles.Failure) {
            let files = try CaptureFiles(plan, encoder)
            try files.checkFolder()
            return files
        } catch {
            StandardError.write("weir: \(error)\n")
            throw ExitCode(2)
        }
    }

    /// Captures and reports. Returns the exit code.
    func run() -> ExitCode {
        var linkTypes: [LinkType] = []
        for interface in capture.interfaces where !linkTypes.contains(interface.linkType) {
            linkTypes.append(interface.linkType)
        }
        analyzer.begin(
            CaptureRecord(
                file: name, format: "live", linkTypes: linkTypes,
                snapLength: capture.interfaces.map(\.snapLength).max(), isStreamed: true))
        report.flush()
        emit("listening on \(name) (\(linkTypes.map(\.name).joined(separator: ", ")))")
        while step() {}
        finish()
        return code
    }

    private func emit(_ message: String) {
        guard !command.show.quiet else { return }
        footer.clear()
        StandardError.write("weir: \(message)\n")
    }

    private func logError(_ message: String) {
        footer.clear()
        StandardError.write("weir: \(message)\n")
        code = ExitCode(2)
    }
}

// MARK: - While it runs

extension LiveRun {
    /// Reads, stores, analyzes and shows the next packets. Returns false when the capture is over.
    private func step() -> Bool {
        noteClock()
        let arrival: LiveCapture.Arrival
        do throws(LiveError) {
            arrival = try capture.read(
                into: &batch, waiting: waiting, wake: end == nil ? signals : nil, most: left, until: end)
        } catch {
            damage = Damage(file: error.interface ?? name, frame: capture.count + 1, offset: nil, reason: error.reason)
            return noteLosses()
        }
        if process_signal() != 0 { end = min(end ?? LiveCapture.now(), LiveCapture.now()) }
        guard keep() else { return false }
        analyze()
        guard noteLosses() else { return false }
        if process_take_request() { report.showOverview() }
        report.flush()
        guard !output.hasFailed else { return false }
        if let limit = command.stopOn, let severity = gate.run.worst, severity >= limit { return false }
        if watch.isMatched(at: LiveCapture.now(), worst: gate.run.worst) { return false }
        if left == 0 { return false }
        let now = LiveCapture.now()
        if arrival == .nothing || arrival == .woken {
            if let end, now >= end { return false }
            analyzer.advance(to: Timestamp(nanoseconds: now.nanoseconds &- Self.margin))
            report.flush()
        }
        // Without a pause in the traffic, packets after the end show that it has been reached.
        if let end, batch.isEmpty, arrival == .frames || arrival == .lastFrames, now > end { return false }
        showFooter()
        return true
    }

    /// Adjusts the end time if the clock was changed, so that the remaining duration stays the same.
    private func noteClock() {
        let lead = LiveCapture.clockLead()
        let step = lead &- clockLead
        guard step.magnitude > Self.clockStep else { return }
        clockLead = lead
        if let end { self.end = Timestamp(nanoseconds: end.nanoseconds &+ step) }
        let milliseconds = Int(step.magnitude / 1_000_000)
        emit("the clock was set \(step > 0 ? "forward" : "back") by \(Double(milliseconds) / 1_000) s")
    }

    /// The timeout when waiting for packets, in milliseconds.
    private var waiting: Int {
        guard let end else { return Self.pause }
        let rest = (end.nanoseconds &- LiveCapture.now().nanoseconds) / 1_000_000
        // After the end, wait for packets that the kernel has not delivered yet.
        return rest <= 0 ? Self.settling : min(Self.pause, Int(rest) + Self.settling)
    }

    /// The number of packets left to capture.
    private var left: Int {
        command.source.count.map { max(0, $0 - capture.count) } ?? .max
    }

    /// Writes the batch to the file, before it is analyzed. Returns false on failure.
    private func keep() -> Bool {
        guard let files, !batch.isEmpty else { return true }
        do throws(CaptureFiles.Failure) {
            try files.write(batch, counts: capture.statistics)
            return true
        } catch {
            logError("\(error); all packets before that are in the file")
            damage = Damage(file: error.file, frame: capture.count, offset: nil, reason: error.reason)
            analyze()
            return false
        }
    }

    private func analyze() {
        if octets == 0, let first = batch.firstTime {
            emit("first packet at \(CivilTime(first).readable); times are relative to it")
        }
        batch.forEach { frame, drops in
            analyzer.process(frame)
            octets &+= frame.info.originalLength
            if drops > 0 { analyzer.noteDrops(drops, at: frame.info.time) }
        }
    }

    /// Reports interfaces that disappeared. Returns false if none is left, or the file cannot be written.
    private func noteLosses() -> Bool {
        let left = capture.remaining
        for loss in capture.losses.dropFirst(losses) {
            losses += 1
            guard !left.isEmpty else {
                logError("\(loss); packets captured before are reported")
                continue
            }
            logError("\(loss); the capture continues on \(left.joined(separator: ", "))")
            let now = LiveCapture.now()
            analyzer.noteLoss(of: loss.interface ?? name, at: now)
            guard let index = command.source.interfaces.firstIndex(where: { $0 == loss.interface }) else { continue }
            do throws(CaptureFiles.Failure) {
                try files?.end(interface: index, counts: capture.statistics, at: now)
            } catch {
                logError("\(error)")
                damage = Damage(file: error.file, frame: capture.count, offset: nil, reason: error.reason)
                return false
            }
        }
        return !left.isEmpty
    }

    private func showFooter() {
        guard footer.isWanted else { return }
        footer.show(
            LiveFooter.Counts(
                packets: capture.count, octets: octets,
                dropped: capture.statistics.reduce(0) { $0 + $1.missing }, open: analyzer.open))
    }
}

// MARK: - The end

extension LiveRun {
    private func finish() {
        let ended = min(end ?? LiveCapture.now(), LiveCapture.now())
        analyzer.noteDrops(capture.unnotedDrops, at: ended)
        analyzer.advance(to: ended)
        analyzer.finish(damage: damage)
        gate.finish()
        report.finish()
        footer.clear()
        do throws(CaptureFiles.Failure) {
            try files?.close(counts: capture.statistics, end: ended)
        } catch {
            logError("\(error)")
        }
        do throws(ExitCode) {
            try output.close()
            try checks.close()
        } catch {
            code = error
        }
        let counts = capture.statistics.reduce(LiveStatistics(), +)
        emit(
            "\(capture.count) packets captured, \(counts.received) received by the filter, "
                + "\(counts.dropped) dropped by the kernel, \(counts.droppedByInterface) by the interface")
        DecryptionOptions.report(options, quiet: command.show.quiet)
        DecryptionOptions.reportUnused(options.limits[SRTPSettings.self].keys)
        guard command.check else { return }
        do throws(ExitCode) {
            let verdict = try plan.conclude(gate)
            if code == .success { code = verdict }
        } catch {
            code = error
        }
    }
}
