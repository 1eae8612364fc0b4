import ArgumentParser
import WeirCapture

/// The options for interfaces, stop conditions and capture files.
struct LiveOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("interface")], parsing: .singleValue,
        help: ArgumentHelp(
            "Capture on this interface; any means all (Linux). Repeatable; see 'weir interfaces'.",
            valueName: "name"))
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("Stop after this time, such as 90, 10m or 1h.", valueName: "time"))
    var duration: Seconds?

    @Option(name: .shortAndLong, help: ArgumentHelp("Stop after this many packets.", valueName: "packets"))
    var count: Int?

    @Option(name: .shortAndLong, help: ArgumentHelp("Snapshot length: bytes captured per packet.", valueName: "bytes"))
    var snaplen = 262_144

    @Option(
        help: ArgumentHelp("Size of the kernel's capture buffer per interface.", valueName: "size"))
    var bufferSize = OctetCount(16 << 20)

    @Flag(inversion: .prefixedNo, help: "Capture in promiscuous mode.")
    var promiscuous = true

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write packets to a file: pcap if its name ends in .pcap or .cap, otherwise pcapng.", valueName: "file"),
        completion: .file())
    var write: String?

    @Flag(help: "Let --write overwrite an existing file.")
    var force = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Start a new file after this size or time, such as 100MB or 1h. Repeatable.", valueName: "limit"))
    var rotate: [Rotation] = []

    @Option(help: ArgumentHelp("Keep only the latest files of a rotation.", valueName: "files"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "Run as this user once the interfaces are open (default: the user who called sudo, or nobody).",
            valueName: "name"))
    var user: String?

    @Flag(help: "Keep root privileges while processing untrusted packets.")
    var stayRoot = false

    func validate() throws {
        guard !interfaces.isEmpty else {
            throw ValidationError(plain: "No interface given: use -i INTERFACE; 'weir interfaces' lists them.")
        }
        guard Set(interfaces).count == interfaces.count else {
            throw ValidationError(plain: "An interface is given twice.")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError(plain: "--count takes a number above 0.") }
        guard (64...262_144).contains(snaplen) else {
            throw ValidationError(plain: "--snaplen takes 64 to 262144 bytes.")
        }
        guard (64 * 1024...Int(Int32.max)).contains(bufferSize.value) else {
            throw ValidationError(plain: "--buffer-size takes 64KiB to 2GB.")
        }
        guard rotate.isEmpty || write != nil else { throw ValidationError(plain: "--rotate requires --write.") }
        guard write != "-" else {
            throw ValidationError(plain: "--write takes a file name; for a file named -, use ./-.")
        }
        guard !force || write != nil else { throw ValidationError(plain: "--force requires --write.") }
        guard user == nil || !stayRoot else {
            throw ValidationError(plain: "--user and --stay-root exclude each other.")
        }
        guard keep == nil || !rotate.isEmpty else { throw ValidationError(plain: "--keep requires --rotate.") }
        guard keep.map({ $0 > 0 }) ?? true else { throw ValidationError(plain: "--keep takes a number above 0.") }
    }

    /// Returns the options of the capture.
    func capture(_ filter: CaptureFilter?) -> LiveCapture.Options {
        var options = LiveCapture.Options(interfaces: interfaces)
        options.snapLength = snaplen
        options.bufferOctets = bufferSize.value
        options.isPromiscuous = promiscuous
        options.filter = filter
        return options
    }

    /// The options of the capture files, or nil if nothing is written.
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
