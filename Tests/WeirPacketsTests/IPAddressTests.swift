import Testing
import WeirPackets

@Suite struct IPAddressTests {
    /// Address text as parsed and as formatted, including the examples of RFC 5952 §4 and RFC 4291 §2.2.
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("2001:0db8::0001", "2001:db8::1"), ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
        ("0:0:0:0:0:0:0:1", "::1"), ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::FFFF:C000:201", "::ffff:192.0.2.1"),
        ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("FF02::1:2", "ff02::1:2"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ])
    func readsAndWrites(_ text: String, _ canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "1.2.3.+4", "a.b.c.d", "1..2.3", ":", ":::",
        "1:2",
        "1::2::3", "12345::", "::1%eth0", "[::1]", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1.2.3", "1.2.3.4::",
        "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "::g", "1:", ":1", "example.org",
        "0000:0000:0000:0000:0000:0000:0000:0000000000000001",
    ])
    func refuses(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func knowsGroups() throws {
        #expect(try #require(IPAddress("239.1.1.1")).isMulticast)
        #expect(try #require(IPAddress("ff02::1")).isMulticast)
        #expect(try #require(IPAddress("::")).isUnspecified)
        #expect(Endpoint(address: try #require(IPAddress("::1")), port: 554).description == "[::1]:554")
    }
}
