import CPcap
import WeirPackets

/// A filter in the syntax of pcap-filter(7), such as `tcp port 554 or udp`.
public struct CaptureFilter: Hashable, Sendable {
    /// An invalid filter expression, with the message of libpcap.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The expression as given.
        public let expression: String
        /// The message of libpcap.
        public let reason: String
        /// A one-line description.
        public var description: String { "filter \"\(expression)\": \(reason)" }
    }

    /// The expression as given.
    public let expression: String

    /// Validates an expression, before any file is opened.
    ///
    /// Some expressions apply to certain link types only (`wlan type mgt`); an expression is accepted if it compiles
    /// for any of the usual ones. Otherwise throws libpcap's error for Ethernet.
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

    /// Compiles `expression`. Throws libpcap's error message.
    init(_ expression: String, for linkType: LinkType) throws(CaptureFilter.Invalid) {
        // Sound: the handle is used between open and close only, and its message is copied before it is closed.
        guard let handle = unsafe pcap_open_dead(linkType.libpcapType, 262_144) else {
            throw CaptureFilter.Invalid(expression: expression, reason: "not enough memory")
        }
        defer { unsafe pcap_close(handle) }
        unsafe try compile(expression, handle)
    }

    /// Compiles `expression` for a live handle, and installs it in the kernel. The program may differ from one for
    /// files: a kernel may have stripped VLAN tags, for example.
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
        // Sound: libpcap also accepts a program that was never compiled.
        unsafe pcap_freecode(&program)
    }

    /// Whether a packet passes the filter.
    @unsafe
    func passes(_ bytes: UnsafeRawBufferPointer, originalLength: Int) -> Bool {
        var header = pcap_pkthdr()
        header.caplen = UInt32(clamping: bytes.count)
        header.len = UInt32(clamping: originalLength)
        // Sound: libpcap's interpreter checks each load against `caplen`, which is the size of `bytes`.
        return unsafe pcap_offline_filter(&program, &header, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            != 0
    }
}

extension LinkType {
    /// Link types whose number in a program (`DLT_`) differs from the one in files (`LINKTYPE_`), because the former
    /// differs between operating systems.
    private static let renumbered: [(file: Int, program: Int32)] = [
        (101, DLT_RAW), (100, DLT_ATM_RFC1483), (102, DLT_SLIP_BSDOS), (103, DLT_PPP_BSDOS), (246, DLT_PFSYNC),
    ]

    /// Creates the link type that libpcap numbers `program`.
    init(libpcapType program: Int32) {
        let file = Self.renumbered.first { $0.program == program }?.file
        self.init(rawValue: file ?? Int(program))
    }

    /// The `DLT_` number of this type.
    var libpcapType: Int32 {
        Self.renumbered.first { $0.file == rawValue }?.program ?? Int32(clamping: rawValue)
    }
}
