import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One interface that is captured on.
@safe
final class LiveHandle {
    let name: String
    let linkType: LinkType
    /// Octets kept of a frame at most.
    let snapLength: Int
    /// What libpcap had to say when capturing began, such as that the interface cannot be promiscuous.
    let warning: String?
    /// Becomes readable when packets have come.
    let descriptor: Int32

    private let owner: PcapHandle
    private let index: Int
    /// Why there is no more to come.
    private var failure: LiveError?
    private let nanosecondsPerUnit: Int64
    private var counted = LiveStatistics()
    private var latest = (received: UInt32(0), dropped: UInt32(0), droppedByInterface: UInt32(0))

    /// Begins to capture. The order of the calls is that of pcap(3PCAP): create, options, activate, and only then what
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
        // Not "immediate mode": on Linux that takes the older ring, whose slots all have the size of the longest frame.
        // With a timeout the kernel hands over what has come by then, and neither side works while nothing comes.
        unsafe pcap_set_timeout(handle, Int32(clamping: options.latencyMilliseconds))
        unsafe pcap_set_buffer_size(handle, Int32(clamping: options.bufferOctets))
        // Microseconds are what is left where the interface cannot do better.
        unsafe pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
        let status = unsafe pcap_activate(handle)
        let told = unsafe pcap_geterr(handle).map { unsafe String(cString: $0) } ?? ""
        guard status >= 0 else { throw LiveError(status: status, interface: name, message: told) }
        switch status {
        case 0: warning = nil
        case PCAP_WARNING_PROMISC_NOTSUP: warning = "only packets to and from this host are captured (not promiscuous)"
        default: warning = told.isEmpty ? "libpcap warning \(status)" : told
        }
        if unsafe pcap_datalink(handle) == Int32(LinkType.linuxSLL.rawValue) {
            // The newer of the two headers says which interface a packet was seen on. Older systems have the other one.
            unsafe pcap_set_datalink(handle, Int32(LinkType.linuxSLL2.rawValue))
        }
        linkType = unsafe LinkType(libpcapType: pcap_datalink(handle))
        snapLength = unsafe Int(pcap_snapshot(handle))
        nanosecondsPerUnit = unsafe pcap_get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1_000
        descriptor = unsafe pcap_get_selectable_fd(handle)
        guard unsafe pcap_setnonblock(handle, 1, &message) == 0, descriptor >= 0 else {
            throw LiveError(.other, interface: name, reason: "packets cannot be waited for: \(Self.text(message))")
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

    /// Takes packets that have come, up to `most` octets of them.
    ///
    /// - Returns: whether there may be more.
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
            // Sound: libpcap sets both pointers when it returns 1, to `caplen` octets that stay until the next call.
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
        let told = unsafe pcap_geterr(owner.pointer).map { unsafe String(cString: $0) } ?? ""
        // The words of libpcap on Linux and of the BPF device for a device that is gone, or was taken down.
        let isGone =
            CaptureInterface.index(name) == nil && name != CaptureInterface.any || told.contains("disappeared")
            || told.contains("went down")
        return isGone
            ? LiveError(.vanished, interface: name, reason: "the interface is gone")
            : LiveError(.other, interface: name, reason: told.isEmpty ? "the capture broke off" : told)
    }

    /// What was counted since capturing began. libpcap counts with 32 bits; here nothing wraps.
    func statistics() -> LiveStatistics {
        var now = pcap_stat()
        guard unsafe pcap_stats(owner.pointer, &now) == 0 else { return counted }
        counted.received &+= Self.advance(now.ps_recv, latest.received)
        counted.dropped &+= Self.advance(now.ps_drop, latest.dropped)
        counted.droppedByInterface &+= Self.advance(now.ps_ifdrop, latest.droppedByInterface)
        latest = (now.ps_recv, now.ps_drop, now.ps_ifdrop)
        return counted
    }

    /// How far a counter went. One that runs backwards was begun anew, as that of a driver is when its interface is reset.
    private static func advance(_ now: UInt32, _ before: UInt32) -> Int {
        max(0, Int(Int32(bitPattern: now &- before)))
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Closes libpcap's handle, once, whether opening went well or failed at any step.
@safe
private final class PcapHandle {
    let pointer: OpaquePointer

    @unsafe
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        // Sound: nobody else closes it, and who uses it holds this owner.
        unsafe pcap_close(pointer)
    }
}

/// What the kernel and an interface counted.
package struct LiveStatistics: Hashable, Sendable {
    /// Packets that passed the filter.
    package var received = 0
    /// Packets that found no room in the buffer.
    package var dropped = 0
    /// Packets that the interface or its driver dropped.
    package var droppedByInterface = 0

    /// Counts nothing yet.
    package init() {}

    /// Packets that are missing from the capture.
    package var missing: Int { dropped &+ droppedByInterface }

    /// Both together.
    package static func + (one: Self, other: Self) -> Self {
        var sum = Self()
        sum.received = one.received &+ other.received
        sum.dropped = one.dropped &+ other.dropped
        sum.droppedByInterface = one.droppedByInterface &+ other.droppedByInterface
        return sum
    }

    /// What was counted since `before`.
    package static func - (now: Self, before: Self) -> Self {
        var difference = Self()
        difference.received = now.received &- before.received
        difference.dropped = now.dropped &- before.dropped
        difference.droppedByInterface = now.droppedByInterface &- before.droppedByInterface
        return difference
    }
}
