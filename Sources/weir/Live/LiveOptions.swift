import ArgumentParser
import WeirCapture

/// What to capture, how long, and where to keep it.
struct LiveOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("interface")], parsing: .singleValue,
        help: ArgumentHelp(
            "Capture on this interface; any is all of them (Linux). Repeatable; 'weir interfaces' lists them.",
            valueName: "name"))
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("Stop after this time, such as 90, 10m or 1h.", valueName: "time"))
    var duration: Seconds?

    @Option(name: .shortAndLong, help: ArgumentHelp("Stop after so many packets.", valueName: "packets"))
    var count: Int?

    @Option(name: .shortAndLong, help: ArgumentHelp("Octets kept of each packet at most.", valueName: "octets"))
    var snaplen = 262_144

    @Option(
        help: ArgumentHelp(
            "The kernel's buffer for each interface, where packets wait while weir is busy.", valueName: "size"))
    var bufferSize = OctetCount(16 << 20)

    @Flag(inversion: .prefixedNo, help: "Capture also what is not meant for this host.")
    var promiscuous = true

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Keep what was captured: pcap when the name ends in .pcap or .cap, otherwise pcapng.", valueName: "file"),
        completion: .file())
    var write: String?

    @Flag(help: "Let --write replace a file that is there already.")
    var force = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Begin another file after this size or time, such as 100MB or 1h. Repeatable.", valueName: "limit"))
    var rotate: [Rotation] = []

    @Option(help: ArgumentHelp("Keep only the latest files of a rotation.", valueName: "files"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "Run as this user once the interfaces are open; without it as who called sudo, or as nobody.",
            valueName: "name"))
    var user: String?

    @Flag(help: "Stay root, with all its rights, while packets that anybody may have sent are read.")
    var stayRoot = false

    func validate() throws {
        guard !interfaces.isEmpty else {
            throw ValidationError(plain: "Say where to capture: -i INTERFACE; 'weir interfaces' lists them.")
        }
        guard Set(interfaces).count == interfaces.count else {
            throw ValidationError(plain: "An interface is named twice.")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError(plain: "--count takes a number above 0.") }
        guard (64...262_144).contains(snaplen) else {
            throw ValidationError(plain: "--snaplen takes 64 to 262144 octets.")
        }
        guard (64 * 1024...Int(Int32.max)).contains(bufferSize.value) else {
            throw ValidationError(plain: "--buffer-size takes 64KiB to 2GB.")
        }
        guard rotate.isEmpty || write != nil else { throw ValidationError(plain: "--rotate takes --write.") }
        guard write != "-" else {
            throw ValidationError(plain: "--write takes the name of a file; a file called - is ./-.")
        }
        guard !force || write != nil else { throw ValidationError(plain: "--force takes --write.") }
        guard user == nil || !stayRoot else {
            throw ValidationError(plain: "--user and --stay-root exclude each other.")
        }
        guard keep == nil || !rotate.isEmpty else { throw ValidationError(plain: "--keep takes --rotate.") }
        guard keep.map({ $0 > 0 }) ?? true else { throw ValidationError(plain: "--keep takes a number above 0.") }
    }

    /// For the capture itself.
    func capture(_ filter: CaptureFilter?) -> LiveCapture.Options {
        var options = LiveCapture.Options(interfaces: interfaces)
        options.snapLength = snaplen
        options.bufferOctets = bufferSize.value
        options.isPromiscuous = promiscuous
        options.filter = filter
        return options
    }

    /// For the files; nil when nothing is to be kept.
    var plan: CaptureFiles.Plan? {
        guard let write else { return nil }
        var plan = CaptureFiles.Plan(path: write)
        for limit in rotate {
            switch limit {
            case .octets(let octets): plan.mostOctets = octets
            case .seconds(let seconds): plan.mostSeconds = seconds
            }
        }
        plan.kept = keep
        plan.replaces = force
        return plan
    }
}
