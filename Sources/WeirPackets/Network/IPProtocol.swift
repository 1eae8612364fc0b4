/// Protocol numbers of IPv4 and next-header numbers of IPv6 (IANA "Protocol Numbers").
enum IPProtocol {
    static let hopByHop: UInt8 = 0
    static let icmp: UInt8 = 1
    static let ipv4: UInt8 = 4
    static let tcp: UInt8 = 6
    static let udp: UInt8 = 17
    static let ipv6: UInt8 = 41
    static let routing: UInt8 = 43
    static let fragment: UInt8 = 44
    static let gre: UInt8 = 47
    static let authentication: UInt8 = 51
    static let icmpv6: UInt8 = 58
    static let none: UInt8 = 59
    static let destinationOptions: UInt8 = 60
    static let mobility: UInt8 = 135
    static let mpls: UInt8 = 137
    static let hostIdentity: UInt8 = 139
    static let shim6: UInt8 = 140
}
