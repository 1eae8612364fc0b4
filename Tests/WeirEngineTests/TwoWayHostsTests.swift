import Testing
import WeirPackets

@testable import WeirEngine

@Suite("Hosts captured in both directions") struct TwoWayHostsTests {
    private func address(_ number: Int, isIPv4: Bool) -> IPAddress {
        let bits = UInt32(truncatingIfNeeded: number)
        return isIPv4 ? IPAddress(ipv4: bits) : IPAddress(ipv6High: 0, low: UInt64(bits))
    }

    @Test("those that were noted, by interface and address family")
    func members() {
        let hosts = TwoWayHosts()
        for number in stride(from: 0, to: 5_000, by: 2) {
            hosts.note(
                address(number, isIPv4: true), address(number, isIPv4: number % 4 == 0), on: number % 3)
        }
        for number in 0..<5_000 {
            let isNoted = number % 2 == 0
            #expect(hosts.contains(address(number, isIPv4: true), on: number % 3) == isNoted)
            #expect(!hosts.contains(address(number, isIPv4: true), on: (number + 1) % 3))
            #expect(hosts.contains(address(number, isIPv4: false), on: number % 3) == (isNoted && number % 4 != 0))
        }
    }

    @Test("no more than the limit")
    func limit() {
        let hosts = TwoWayHosts()
        for number in 0..<70_000 { hosts.note(address(number, isIPv4: true), address(number, isIPv4: true), on: 0) }
        #expect(hosts.contains(address(65_535, isIPv4: true), on: 0))
        #expect(!hosts.contains(address(65_536, isIPv4: true), on: 0))
    }
}
