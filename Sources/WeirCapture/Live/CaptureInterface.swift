import CPcap
import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An interface that packets could be captured on.
package struct CaptureInterface: Sendable, Hashable {
    /// Whether this program may capture on an interface.
    package enum Permission: String, Sendable {
        /// It may.
        case granted
        /// It may not, as this user and with these capabilities.
        case denied
        /// It was not tried: the interface is down, or is no network interface.
        case unknown
    }

    /// The interface that stands for all of them, on Linux.
    package static let any = "any"

    /// The name, as for `-i`.
    package var name: String
    /// What the system says it is, if it does.
    package var explanation: String?
    /// Its addresses.
    package var addresses: [IPAddress]
    /// What its frames begin with; nil when that shows only to who may capture.
    package var linkType: LinkType?
    /// Whether it is up.
    package var isUp: Bool
    /// Whether it has a carrier.
    package var isRunning: Bool
    /// Whether it is the host's way to itself.
    package var isLoopback: Bool
    /// Whether this program may capture on it.
    package var permission: Permission

    /// All interfaces, in libpcap's order: the likely ones first.
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
        // Sound: libpcap's texts end with a zero, and live as long as its list.
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
        // To capture on other things than network interfaces may have effects: a queue of the firewall, for one, gives
        // its packets to who asks for them.
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

    /// The system's number of a network interface; nil when there is none of this name.
    static func index(_ name: String) -> UInt32? {
        let index = unsafe if_nametoindex(name)
        return index == 0 ? nil : index
    }

    /// The IP address in a socket address; nil when it is of another family.
    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer = unsafe pointer else { return nil }
        // Sound: the family tells which structure the pointer leads to; it need not be aligned for it.
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
