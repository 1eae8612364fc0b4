import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A capture handle of one interface.
@safe
final class LiveHandle {
    let name: String
    let linkType: LinkType
    /// The snap length, in octets.
    let snapLength: Int
    /// The warning of libpcap at the start, such as for an interface without promiscuous mode.
    let warning: String?
    /// A descriptor that is readable when packets are available.
    let descriptor: Int32

    private let owner: PcapHandle
    private let index: Int
    /// The error that ended the capture.
    private var failure: LiveError?
    private let nanosecondsPerUnit: Int64
    private var counted = LiveStatistics()
    private var latest = (received: UInt32(0), dropped: UInt32(0), droppedByInterface: UInt32(0))

    /// Starts capturing. The order of the calls is that of pcap(3PCAP): create, options, activate, then everything that
    /// needs an active handle.
    init(_ name: String, index: Int, _ options: LiveCapture.Options) throws(LiveError) {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        // Sound: the message buffer has the size that libpcap documents.
        guard let handle = unsafe pcap_create(name, &message) else {
            throw LiveError(.other, interface: name, reason: Self.text(message))
        }
        unsafe owner = PcapHandle(handle)
        self.name = name
        self.index = index
        unsafe pcap_set_snaplen(handle, Int32(clamping: options.snapLength))
        unsafe pcap_set_promisc(handle, options.isPromiscuous ? 1 : 0)
        // Not "immediate mode": on Linux that uses the older ring, whose slots all have the size of the longest frame.
        // With a timeout the kernel delivers available packets in batches, and both sides are idle without traffic.
        unsafe pcap_set_timeout(handle, Int32(clamping: options.latencyMilliseconds))
        unsafe pcap_set_buffer_size(handle, Int32(clamping: options.bufferOctets))
        // Falls back to microseconds if the interface does not support nanoseconds.
        unsafe pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
        let status = unsafe pcap_activate(handle)
        let reported = unsafe pcap_geterr(handle).map { unsafe String(cString: $0) } ?? ""
        guard status >= 0 else { throw LiveError(status: status, interface: name, message: reported) }
        switch status {
        case 0: warning = nil
        case PCAP_WARNING_PROMISC_NOTSUP: warning = "only packets to and from this host are captured (not promiscuous)"
        default: warning = reported.isEmpty ? "libpcap warning \(status)" : reported
        }
        if unsafe pcap_datalink(handle) == Int32(LinkType.linuxSLL.rawValue) {
            // The newer of the two headers contains the interface of a packet. Older systems support only the other
            // one.
            unsafe pcap_set_datalink(handle, Int32(LinkType.linuxSLL2.rawValue))
        }
        linkType = unsafe LinkType(libpcapType: pcap_datalink(handle))
        snapLength = unsafe Int(pcap_snapshot(handle))
        nanosecondsPerUnit = unsafe pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1_000
        descriptor = unsafe pcap_get_selectable_fd(handle)
        guard unsafe pcap_setnonblock(handle, 1, &message) == 0, descriptor >= 0 else {
            throw LiveError(.other, interface: name, reason: "cannot wait for packets: \(Self.text(message))")
        }
        if let filter = options.filter { try set(filter) }
    }

    private func set(_ filter: CaptureFilter) throws(LiveError) {
        do throws(CaptureFilter.Invalid) {
            _ = unsafe try FilterProgram(filter.expression, on: owner.pointer)
        } catch {
            throw LiveError(.filter, interface: name, reason: error.description)
        }
    }

    /// Reads available packets, up to `most` octets.
    ///
    /// - Returns: Whether more may be available.
    func take(into batch: inout FrameBatch, most: Int) throws(LiveError) -> Bool {
        if let failure { throw failure }
        while batch.octetCount < most {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var data: UnsafePointer<UInt8>?
            let result = unsafe pcap_next_ex(owner.pointer, &header, &data)
            guard result == 1 else {
                if result == 0 { return false }
                let failure = explain()
                self.failure = failure
                throw failure
            }
            // Sound: libpcap sets both pointers when it returns 1, to `caplen` octets that are valid until the next
            // call.
            guard let header = unsafe header?.pointee, let data = unsafe data else { return false }
            let info = FrameInfo(
                number: 0,
                time: Timestamp(
                    nanoseconds: Int64(header.ts.tv_sec) &* 1_000_000_000 &+ Int64(header.ts.tv_usec)
                        &* nanosecondsPerUnit),
                capturedLength: Int(header.caplen), originalLength: Int(header.len), interface: index,
                linkType: linkType)
            unsafe batch.append(info, UnsafeBufferPointer(start: data, count: Int(header.caplen)))
        }
        return true
    }

    private func explain() -> LiveError {
        let reported = unsafe pcap_geterr(owner.pointer).map { unsafe String(cString: $0) } ?? ""
        // The messages of libpcap on Linux and of BPF for a device that disappeared or was taken down.
        let isGone =
            CaptureInterface.index(name) == nil && name != CaptureInterface.any || reported.contains("disappeared")
            || reported.contains("went down")
        return isGone
            ? LiveError(.vanished, interface: name, reason: "the interface is gone")
            : LiveError(.other, interface: name, reason: reported.isEmpty ? "the capture failed" : reported)
    }

    /// Returns the statistics since the start. libpcap's 32-bit counters are extended, so that they do not wrap.
    func statistics() -> LiveStatistics {
        var now = pcap_stat()
        guard unsafe pcap_stats(owner.pointer, &now) == 0 else { return counted }
        counted.received &+= Self.advance(now.ps_recv, latest.received)
        counted.dropped &+= Self.advance(now.ps_drop, latest.dropped)
        counted.droppedByInterface &+= Self.advance(now.ps_ifdrop, latest.droppedByInterface)
        latest = (now.ps_recv, now.ps_drop, now.ps_ifdrop)
        return counted
    }

    /// Returns the increase of a counter. A decrease is a reset, as of a driver's counter when its interface is reset.
    private static func advance(_ now: UInt32, _ before: UInt32) -> Int {
        max(0, Int(Int32(bitPattern: now &- before)))
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Owns a libpcap handle, and closes it once, whether or not opening succeeded.
@safe
private final class PcapHandle {
    let pointer: OpaquePointer

    @unsafe
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        // Sound: nothing else closes the handle, and every user retains this owner.
        unsafe pcap_close(pointer)
    }
}

/// Statistics of the kernel and an interface.
package struct LiveStatistics: Hashable, Sendable {
    /// Packets that passed the filter.
    package var received = 0
    /// Packets dropped because the buffer was full.
    package var dropped = 0
    /// Packets dropped by the interface or its driver.
    package var droppedByInterface = 0

    /// Creates statistics of zero.
    package init() {}

    /// Packets missing from the capture.
    package var missing: Int { dropped &+ droppedByInterface }

    /// Returns the sum of both.
    package static func + (one: Self, other: Self) -> Self {
        var sum = Self()
        sum.received = one.received &+ other.received
        sum.dropped = one.dropped &+ other.dropped
        sum.droppedByInterface = one.droppedByInterface &+ other.droppedByInterface
        return sum
    }

    /// Returns the difference since `before`.
    package static func - (now: Self, before: Self) -> Self {
        var difference = Self()
        difference.received = now.received &- before.received
        difference.dropped = now.dropped &- before.dropped
        difference.droppedByInterface = now.droppedByInterface &- before.droppedByInterface
        return difference
    }
}
