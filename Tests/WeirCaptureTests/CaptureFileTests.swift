import Foundation
import Testing
import WeirCapture

@Suite("Invalid files, and filters")
struct CaptureFileTests {
    /// An Ethernet frame with IPv4 and UDP to `port`.
    static func udp(_ port: UInt16) -> [UInt8] {
        var frame = CaptureBytes(bigEndian: true)
        frame.octets = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0]
        frame.octets += [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]
        frame.add(UInt16(40000))
        frame.add(port)
        frame.add(UInt32(8 << 16))
        return frame.octets
    }

    @Test("an empty file")
    func empty() throws {
        #expect(try Outcome(of: []).error?.kind == .empty)
    }

    @Test(
        "a text file, and other formats",
        arguments: ["Not a capture at all.\n", "x", "PK\u{3}\u{4}", "\n\r\r\nabcdefghijkl"])
    func text(content: String) throws {
        let error = try Outcome(of: Array(content.utf8)).error
        #expect(error?.kind == .notACapture)
        #expect(error?.offset == 0)
    }

    @Test("a missing file, and a directory")
    func missing() {
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)").path
        #expect(Outcome(reading: missing).error == CaptureError(.notFound, file: missing, reason: "no such file"))
        let directory = FileManager.default.temporaryDirectory.path
        #expect(Outcome(reading: directory).error?.kind == .directory)
    }

    @Test("a file without read permission", .disabled(if: getuid() == 0, "root may read everything"))
    func forbidden() throws {
        let path = try temporaryFile([1])
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(Outcome(reading: path).error?.kind == .permissionDenied)
    }

    @Test("hostile lengths in a classic file", arguments: [UInt32(0xFFFF_FFFF), 0x8000_0000, 0x0010_0000])
    func hostileLength(length: UInt32) throws {
        var file = CaptureBytes.pcap()
        file.record(Self.udp(1))
        file.add(UInt64(0))
        file.add(length)
        file.add(length)
        file.octets += [UInt8](repeating: 0, count: 4096)
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.frames.count == 1)
        #expect(outcome.error?.kind == .damaged)
        #expect(outcome.error?.offset == 24 + 16 + 42)
        #expect(outcome.error?.frame == 2)
    }

    @Test("empty packets, and packets longer than the snap length, which are truncated to it")
    func unusualLengths() throws {
        var file = CaptureBytes.pcap(snapLength: 40)
        file.record([])
        file.record(Self.udp(1))
        file.record(Self.udp(2))
        let cut = file.octets.count
        file.add(UInt32(0))
        let outcome = try Outcome(of: file.octets)
        #expect(outcome.frames.map(\.octets.count) == [0, 40, 40])
        #expect(outcome.error?.offset == cut)
    }

    @Test("frames skipped by a filter keep their numbers", arguments: [false, true])
    func filter(pcapng: Bool) throws {
        var file = CaptureBytes.pcap()
        if pcapng {
            file = CaptureBytes()
            file.section()
            file.interface()
            file.interface(linkType: 101)
        }
        for port in [UInt16(5004), 53, 5004, 53] {
            if pcapng { file.enhanced(Self.udp(port)) } else { file.record(Self.udp(port)) }
        }
        if pcapng { file.enhanced(Array(Self.udp(53).dropFirst(14)), interface: 1) }
        let outcome = try Outcome(of: file.octets, filter: CaptureFilter("udp port 53"))
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.number) == (pcapng ? [2, 4, 5] : [2, 4]))
    }

    @Test("invalid filters, with libpcap's error", arguments: ["tcp prot 80", "port 99999999", "((tcp)"])
    func badFilter(expression: String) {
        #expect(throws: CaptureFilter.Invalid.self) { try CaptureFilter(expression) }
        do throws(CaptureFilter.Invalid) {
            _ = try CaptureFilter(expression)
        } catch {
            #expect(!error.reason.isEmpty)
            #expect(error.description.contains(expression))
        }
    }

    @Test("a filter that the file's link type does not support")
    func unsuitableFilter() throws {
        let filter = try CaptureFilter("wlan type mgt")
        let outcome = try Outcome(of: CaptureBytes.pcap().octets, filter: filter)
        #expect(outcome.error?.kind == .filter)
        #expect(outcome.error?.reason.isEmpty == false)
    }

    @Test("damage is reported once, and nothing follows it", arguments: [false, true])
    func damageEnds(pcapng: Bool) throws {
        var file = CaptureBytes.pcap()
        if pcapng {
            file = CaptureBytes()
            file.section()
            file.interface()
            file.enhanced(Self.udp(1))
            file.enhanced(Self.udp(2), interface: 9)
            file.enhanced(Self.udp(3))
        } else {
            file.record(Self.udp(1))
            file.add(UInt64(0))
            file.add(UInt64.max)
            file.record(Self.udp(3))
        }
        let path = try temporaryFile(file.octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var capture = try CaptureFile(path)
        #expect(try Self.skip(&capture))
        #expect(throws: CaptureError.self) { try Self.skip(&capture) }
        #expect(try !Self.skip(&capture))
    }

    /// Reads a frame and returns whether there was one.
    @discardableResult
    private static func skip(_ capture: inout CaptureFile) throws(CaptureError) -> Bool {
        try capture.next() != nil
    }

    @Test("times up to 2106 in a pcap file", arguments: [UInt32(0), 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func unsignedSeconds(seconds: UInt32) throws {
        var file = CaptureBytes.pcap()
        file.record([1], seconds: seconds, fraction: 999_999)
        #expect(try Outcome(of: file.octets).frames.map(\.time) == [Int64(seconds) * 1_000_000_000 + 999_999_000])
    }

    @Test("raw IP has one number, whichever the writer used", arguments: [UInt32(12), 101])
    func rawIP(linkType: UInt32) throws {
        let file = CaptureBytes.pcap(linkType: linkType)
        #expect(try Outcome(of: file.octets).linkTypes == [101])
    }

    @Test("errors have file, frame and offset")
    func description() {
        let error = CaptureError(.cutShort, file: "a.pcap", offset: 8123, frame: 12, reason: "the file ends here")
        #expect(error.description == "a.pcap: the file ends here (frame 12, at octet 8123)")
        #expect(CaptureError(.empty, file: "-", reason: "is empty").description == "standard input: is empty")
    }
}
