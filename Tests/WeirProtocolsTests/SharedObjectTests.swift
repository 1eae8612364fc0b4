import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct SharedObjectTests {
    /// Name, version 0, not persistent; use, then a change of two properties.
    private static let message = hex(
        """
        0004 63686174 00000003 00000000 00000000
        01 00000000
        04 00000012 0001 61 00 3FF0000000000000 0001 62 02 0000
        06 00000006 02 0003 48692E
        09 00000003 0001 61
        07 0000000B 0004 6E6F7065 0003 6572 72
        0B 00000000
        """)

    private func read(_ octets: [UInt8], _ type: UInt8 = 19) throws(DecodeError) -> RTMPSharedObject {
        try RTMPSharedObject(octets.rawSpan, typeID: type, limits: Limits())
    }

    @Test(arguments: [UInt8(19), 16]) func events(_ type: UInt8) throws {
        let object = try read((type == 16 ? [0] : []) + Self.message, type)
        #expect(object.problem == nil)
        #expect(object.name == "chat" && object.version == 3 && !object.isPersistent)
        #expect(object.events.map(\.name) == ["use", "change", "sendMessage", "remove", "status", "useSuccess"])
        #expect(object.events[1].properties.map(\.name) == ["a", "b"])
        #expect(object.events[1].properties.map(\.value) == [.number(1), .string("")])
        #expect(object.events[2].values == [.string("Hi.")])
        #expect(object.events[4].values == [.string("nope"), .string("err")])
        #expect(
            object.wording { $0 }.english
                == "shared object \"chat\": use, change a, b, sendMessage, remove a, status, useSuccess")
        #expect(
            object.fields(.masked) { $0 == "chat" ? "***" : $0 }.text.hasPrefix(
                "{'name':'***','version':3,'flags':0,'events':"))
    }

    @Test func cutAnywhere() throws {
        for length in 0..<Self.message.count {
            let octets = Array(Self.message[..<length])
            guard length >= 18 else {
                #expect(throws: DecodeError.self) { try read(octets) }
                continue
            }
            let object = try read(octets)
            #expect(object.events.count < 6)
            #expect((object.problem == nil) == [18, 23, 46, 57, 65, 81].contains(length), "\(length)")
        }
    }
}
