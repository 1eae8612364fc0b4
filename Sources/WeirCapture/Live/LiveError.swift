import CPcap

/// An error that prevents or ends capturing on an interface.
package struct LiveError: Error, Hashable, Sendable {
    /// The kind of error.
    package enum Kind: Hashable, Sendable {
        /// The interface does not exist.
        case noSuchInterface
        /// The user has no permission to capture on it.
        case permissionDenied
        /// The interface is not up.
        case notUp
        /// The filter does not apply to the interface's link type.
        case filter
        /// The interface disappeared during the capture.
        case vanished
        /// Another error, with libpcap's message.
        case other
    }

    /// The kind of error.
    package let kind: Kind
    /// The name of the interface; nil if the error concerns all of them.
    package let interface: String?
    /// A description of the error, without the name of the interface.
    package let reason: String

    /// Creates an error.
    package init(_ kind: Kind, interface: String?, reason: String) {
        self.kind = kind
        self.interface = interface
        self.reason = reason
    }
}

extension LiveError: CustomStringConvertible {
    /// A one-line description, such as `eth7: no such interface`.
    package var description: String { interface.map { "\($0): \(reason)" } ?? reason }
}

extension LiveError {
    /// Creates an error from a status of libpcap; `message` is its description, possibly empty.
    init(status: Int32, interface: String, message: String) {
        switch status {
        case PCAP_ERROR_NO_SUCH_DEVICE:
            self.init(.noSuchInterface, interface: interface, reason: "no such interface")
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
            self.init(.permissionDenied, interface: interface, reason: "no permission to capture")
        case PCAP_ERROR_IFACE_NOT_UP:
            self.init(.notUp, interface: interface, reason: "the interface is not up")
        default:
            self.init(.other, interface: interface, reason: message.isEmpty ? "libpcap error \(status)" : message)
        }
    }
}
