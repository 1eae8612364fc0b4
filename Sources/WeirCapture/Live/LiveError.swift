import CPcap

/// Why nothing can be captured on an interface, or no longer.
package struct LiveError: Error, Hashable, Sendable {
    /// What kind of thing went wrong.
    package enum Kind: Hashable, Sendable {
        /// There is no such interface.
        case noSuchInterface
        /// This user may not capture on it.
        case permissionDenied
        /// The interface is not up.
        case notUp
        /// The filter does not apply to the interface's link type.
        case filter
        /// The interface went away while it was captured on.
        case vanished
        /// Something else, in libpcap's words.
        case other
    }

    /// What kind of thing went wrong.
    package let kind: Kind
    /// The interface, by its name; nil when it is about all of them.
    package let interface: String?
    /// What was wrong, in words, without the name of the interface.
    package let reason: String

    /// Creates an error from its parts.
    package init(_ kind: Kind, interface: String?, reason: String) {
        self.kind = kind
        self.interface = interface
        self.reason = reason
    }
}

extension LiveError: CustomStringConvertible {
    /// One line for people: `eth7: there is no such interface`.
    package var description: String { interface.map { "\($0): \(reason)" } ?? reason }
}

extension LiveError {
    /// From a status of libpcap; `message` is its text about it, empty when it has none.
    init(status: Int32, interface: String, message: String) {
        switch status {
        case PCAP_ERROR_NO_SUCH_DEVICE:
            self.init(.noSuchInterface, interface: interface, reason: "there is no such interface")
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
            self.init(.permissionDenied, interface: interface, reason: "no permission to capture")
        case PCAP_ERROR_IFACE_NOT_UP:
            self.init(.notUp, interface: interface, reason: "the interface is not up")
        default:
            self.init(.other, interface: interface, reason: message.isEmpty ? "libpcap error \(status)" : message)
        }
    }
}
