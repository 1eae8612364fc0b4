import CPcap
import WeirPackets

/// A filter in the language of pcap-filter(7), such as `tcp port 554 or udp`.
public struct CaptureFilter: Hashable, Sendable {
    /// Why an expression is no filter, in libpcap's own words.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The expression as given.
        public let expression: String
        /// What libpcap says about it.
        public let reason: String
        /// Both in one line.
        public var description: String { "filter \"\(expression)\": \(reason)" }
    }

    /// The expression as given.
    public let expression: String

    /// Checks an expression, before any file is opened.
    ///
    /// An expression may make sense for some link types only (`wlan type mgt`); it is accepted if one of the usual ones
    /// takes it. Throws libpcap's complaint, as it is for Ethernet, when none does.
    public init(_ expression: String) throws(Invalid) {
        self.expression = expression
        do throws(Invalid) {
            _ = try FilterProgram(expression, for: .ethernet)
        } catch {
            let others = [101, 113, 276, 105, 127, 192].map(LinkType.init(rawValue:))
            for linkType in others where (try? FilterProgram(expression, for: linkType)) != nil { return }
            throw error
        }
    }
}

/// A filter compiled for one link type.
@safe
final class FilterProgram {
    private var program = unsafe bpf_program()

    /// Compiles `expression`; throws libpcap's message.
    init(_ expression: String, for linkType: LinkType) throws(CaptureFilter.Invalid) {
        // Sound: the handle is used between open and close only, and its message is copied before it is closed.
        guard let handle = unsafe pcap_open_dead(linkType.libpcapType, 262_144) else {
            throw CaptureFilter.Invalid(expression: expression, reason: "no memory")
        }
        defer { unsafe pcap_close(handle) }
        unsafe try compile(expression, handle)
    }

    /// Compiles `expression` for what a live handle captures, and lets the kernel apply it. The program is not quite that
    /// of a file: a kernel may have taken VLAN tags out of the frames, for example.
    @unsafe
    init(_ expression: String, on handle: OpaquePointer) throws(CaptureFilter.Invalid) {
        unsafe try compile(expression, handle)
        // Sound: libpcap copies the program.
        guard unsafe pcap_setfilter(handle, &program) == 0 else {
            throw CaptureFilter.Invalid(expression: expression, reason: unsafe Self.message(handle))
        }
    }

    @unsafe
    private func compile(_ expression: String, _ handle: OpaquePointer) throws(CaptureFilter.Invalid) {
        guard unsafe pcap_compile(handle, &program, expression, 1, bpf_u_int32.max) == 0 else {
            throw CaptureFilter.Invalid(expression: expression, reason: unsafe Self.message(handle))
        }
    }

    @unsafe
    private static func message(_ handle: OpaquePointer) -> String {
        unsafe pcap_geterr(handle).map { unsafe String(cString: $0) } ?? "syntax error"
    }

    deinit {
        // Sound: libpcap takes a program that was never compiled, too.
        unsafe pcap_freecode(&program)
    }

    /// Whether a packet passes.
    @unsafe
    func passes(_ bytes: UnsafeRawBufferPointer, originalLength: Int) -> Bool {
        var header = pcap_pkthdr()
        header.caplen = UInt32(clamping: bytes.count)
        header.len = UInt32(clamping: originalLength)
        // Sound: libpcap's machine checks each load against `caplen`, which is the size of `bytes`.
        return unsafe pcap_offline_filter(&program, &header, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            != 0
    }
}

extension LinkType {
    /// Types that libpcap calls otherwise inside a program (`DLT_`) than in a file (`LINKTYPE_`), because the numbers
    /// differ between operating systems; all others are the same.
    private static let renumbered: [(file: Int, program: Int32)] = [
        (101, DLT_RAW), (100, DLT_ATM_RFC1483), (102, DLT_SLIP_BSDOS), (103, DLT_PPP_BSDOS), (246, DLT_PFSYNC),
    ]

    /// The link type of a file that libpcap calls `program`.
    init(libpcapType program: Int32) {
        let file = Self.renumbered.first { $0.program == program }?.file
        self.init(rawValue: file ?? Int(program))
    }

    /// What libpcap calls this type.
    var libpcapType: Int32 {
        Self.renumbered.first { $0.file == rawValue }?.program ?? Int32(clamping: rawValue)
    }
}
