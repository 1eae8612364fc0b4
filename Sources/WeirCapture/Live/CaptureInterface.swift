import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A network interface that may be available for capture.
package struct CaptureInterface: Sendable, Hashable {
    /// Whether the process may capture on an interface.
    package enum Permission: String, Sendable {
        /// Capturing is permitted.
        case granted
        /// Capturing is not permitted with the current user and capabilities.
        case denied
        /// Not tested: the interface is down, or is not a network interface.
        case unknown
    }

    /// The pseudo-interface for all interfaces on Linux.
    package static let any = "any"

    /// The name, as for `-i`.
    package var name: String
    /// The description provided by the system, if any.
    package var explanation: String?
    /// The IP addresses.
    package var addresses: [IPAddress]
    /// The link type, or nil if it is available only with permission to capture.
    package var linkType: LinkType?
    /// Whether the interface is up.
    package var isUp: Bool
    /// Whether the interface has a carrier.
    package var isRunning: Bool
    /// Whether it is a loopback interface.
    package var isLoopback: Bool
    /// Whether the process may capture on it.
    package var permission: Permission

    /// Returns all interfaces in the order of libpcap, the most suitable first.
    package static func all() throws(LiveError) -> [CaptureInterface] {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        var list: UnsafeMutablePointer<pcap_if_t>?
        // Sound: the message buffer has the size that libpcap documents, and the list is freed after its last use.
        guard unsafe pcap_findalldevs(&list, &message) == 0 else {
            let text = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw LiveError(.other, interface: nil, reason: text)
        }
        defer { unsafe pcap_freealldevs(list) }
        var interfaces: [CaptureInterface] = []
        var entry = unsafe list
        // Sound: libpcap's list is linked by `next`, and ends with nil.
        while let device = unsafe entry?.pointee {
            if let interface = unsafe CaptureInterface(device) { interfaces.append(interface) }
            unsafe entry = device.next
        }
        return interfaces
    }

    private init?(_ device: pcap_if_t) {
        guard let name = unsafe device.name else { return nil }
        // Sound: libpcap's strings are null-terminated, and live as long as its list.
        unsafe self.name = String(cString: name)
        explanation = unsafe device.description.map { unsafe String(cString: $0) }
        let flags = unsafe device.flags
        isUp = flags & UInt32(PCAP_IF_UP) != 0
        isRunning = flags & UInt32(PCAP_IF_RUNNING) != 0
        isLoopback = flags & UInt32(PCAP_IF_LOOPBACK) != 0
        addresses = []
        var entry = unsafe device.addresses
        while let address = unsafe entry?.pointee {
            if let known = unsafe Self.address(address.addr), !addresses.contains(known) { addresses.append(known) }
            unsafe entry = address.next
        }
        linkType = nil
        permission = .unknown
        // Opening other devices may have side effects: a netfilter queue, for example, delivers its packets to the
        // process that opens it.
        guard self.name == Self.any || Self.index(self.name) != nil else { return }
        var options = LiveCapture.Options(interfaces: [self.name])
        options.isPromiscuous = false
        options.snapLength = 96
        options.bufferOctets = 64 * 1024
        do throws(LiveError) {
            linkType = try LiveHandle(self.name, index: 0, options).linkType
            permission = .granted
        } catch {
            if error.kind == .permissionDenied { permission = .denied }
        }
    }

    /// Returns the system's index of a network interface, or nil if the name is unknown.
    static func index(_ name: String) -> UInt32? {
        let index = unsafe if_nametoindex(name)
        return index == 0 ? nil : index
    }

    /// Returns the IP address in a socket address, or nil for other address families.
    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer = unsafe pointer else { return nil }
        // Sound: the address family determines the structure that the pointer refers to; it need not be aligned for it.
        switch unsafe Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let address = unsafe UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self)
            return IPAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let place = unsafe UnsafeRawPointer(pointer) + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8)
            let high = unsafe place.loadUnaligned(as: UInt64.self)
            let low = unsafe place.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return IPAddress(ipv6High: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        default:
            return nil
        }
    }
}
