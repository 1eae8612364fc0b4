import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// Values in AMF, with their JSON. Vectors marked `PyAMF` are from that project's tests (hydralabs/pyamf,
/// pyamf/tests/test_amf0.py and test_amf3.py).
struct AMFSample: Sendable, CustomTestStringConvertible {
    var octets: [UInt8]
    var json: String
    var testDescription: String { json }

    init(_ digits: String, _ json: String) {
        octets = hex(digits)
        self.json = json
    }

    static let amf0 = [
        // PyAMF
        AMFSample("00 3FC999999999999A", "0.2"),
        AMFSample("00 C05EC00000000000", "-123"),
        AMFSample("00 3FF3C0CA4283DE1B", "1.23456789"),
        AMFSample("01 01 01 00", "true false"),
        AMFSample("02 0000 02 0005 68656C6C6F", "'' 'hello'"),
        AMFSample("02 0009 E19AA0E19B87E19ABB", "'ᚠᛇᚻ'"),
        AMFSample("05 06", "null {'$undefined':true}"),
        AMFSample(
            "0A 00000003 00 3FF0000000000000 00 4000000000000000 00 4008000000000000", "[1,2,3]"),
        AMFSample("0A 00000000 07 0000", "[] {'$reference':0}"),
        AMFSample("03 0001 61 02 0001 61 000009", "{'a':'a'}"),
        AMFSample("08 00000000 0001 61 00 3FF0000000000000 000009", "{'$ecmaArray':0,'a':1}"),
        AMFSample("0B 42702B362115 8000 0000", "{'$date':1111111111000,'$zone':0}"),
        AMFSample(
            "10 000E 6F72672E7079616D662E7370616D 0003 62617A 02 0005 68656C6C6F 000009",
            "{'$class':'org.pyamf.spam','baz':'hello'}"),
        AMFSample(
            "0A00000001 0A00000002 03 0001 61 02 0004 7370616D 0001 62 02 0004 65676773 000009 07 0002",
            "[[{'a':'spam','b':'eggs'},{'$reference':2}]]"),
        AMFSample("11 0A 0B 01 01", "{'$amf3':{}}"),
        AMFSample("0F 00000004 3C612F3E", "{'$xmlDocument':'<a/>'}"),
        // The remaining markers.
        AMFSample("0C 00000001 63", "'c'"),
        AMFSample("04 0D 0E", "{'$movieClip':true} {'$unsupported':true} {'$recordSet':true}"),
        AMFSample("0B 0000000000000000 FFC4", "{'$date':0,'$zone':-60}"),
        AMFSample("0B 7FF8000000000000 0000", "{'$date':{'$number':'NaN'},'$zone':0}"),
        AMFSample(
            "00 7FF0000000000000 00 FFF0000000000000 00 8000000000000000 00 0000000000000001",
            "{'$number':'Infinity'} {'$number':'-Infinity'} -0.0 5e-324"),
        AMFSample("00 4340000000000000 00 433FFFFFFFFFFFFF", "9007199254740992.0 9007199254740991"),
        AMFSample("00 4037F9DCB5112287", "23.976023976023978"),
        AMFSample("03 0002 2461 05 000009", "{'$$a':null}"),
        AMFSample("02 0002 C328", "{'$string':'c328'}"),
        AMFSample("02 0003 EFBFBD", "'\u{FFFD}'"),
        AMFSample("03 0001 FF 05 000009", "{'$name:ff':null}"),
        AMFSample("05 11 06 03 61 05 11 06 00", "null {'$amf3':'a'} null {'$amf3':'a'}"),
    ]

    static let amf3 = [
        // PyAMF
        AMFSample("00", "{'$undefined':true}"),
        AMFSample("01", "null"), AMFSample("02", "false"), AMFSample("03", "true"),
        AMFSample("04 00", "0"), AMFSample("04 7F", "127"), AMFSample("04 8100", "128"),
        AMFSample("04 8154", "212"), AMFSample("04 FF7F", "16383"), AMFSample("04 818000", "16384"),
        AMFSample("04 86CA3F", "107839"), AMFSample("04 FFFF7F", "2097151"),
        AMFSample("04 80C08000", "2097152"), AMFSample("04 80FFFFFF", "4194303"),
        AMFSample("04 81808000", "4194304"), AMFSample("04 FFFFFFFF", "-1"), AMFSample("04 FFFFFF85", "-123"),
        AMFSample("04 BFFFFFFF", "268435455"), AMFSample("04 C0808000", "-268435456"),
        AMFSample("05 C05EC00000000000", "{'$double':-123}"),
        AMFSample("05 C1B0000001000000", "-268435457"), AMFSample("05 41B0000000000000", "268435456"),
        AMFSample("05 3FC999999999999A", "0.2"),
        AMFSample("05 FFF8000000000000", "{'$number':'NaN:fff8000000000000'}"),
        AMFSample("06 01", "''"), AMFSample("06 0B 68656C6C6F", "'hello'"),
        AMFSample("09 09 01 0400 0401 0402 0403", "[0,1,2,3]"),
        AMFSample("09 03 09 7370616D 06 09 65676773 01 06 0B 68656C6C6F", "{'$array':['hello'],'spam':'eggs'}"),
        AMFSample("0A 0B 01 09 7370616D 06 09 65676773 01", "{'spam':'eggs'}"),
        AMFSample(
            "0A 0B 1D 6F72672E7079616D662E7370616D 07 62617A 06 0B 68656C6C6F 01",
            "{'$class':'org.pyamf.spam','$sealed':0,'$dynamic':true,'baz':'hello'}"),
        AMFSample("08 01 42702B3621158000", "{'$date':1111111111000}"),
        AMFSample("0C 0B 68656C6C6F", "{'$bytes':'68656c6c6f'}"),
        AMFSample(
            "0B 33 3C613E3C623E68656C6C6F20776F726C643C2F623E3C2F613E", "{'$xml':'<a><b>hello world</b></a>'}"),
        AMFSample(
            "0A 07 43 666C65782E6D6573736167696E672E696F2E4172726179436F6C6C656374696F6E 09 09 01 0400 0401 0402 0403",
            "{'$external':'flex.messaging.io.ArrayCollection','$bytes':'0909010400040104020403'}"),
        // The rest of AMF3 §3.
        AMFSample("07 09 3C612F3E", "{'$xmlDocument':'<a/>'}"),
        AMFSample("0D 05 01 00000001 FFFFFFFF", "{'$vector':'int','$fixed':true,'$items':[1,-1]}"),
        AMFSample("0E 03 00 FFFFFFFF", "{'$vector':'uint','$fixed':false,'$items':[4294967295]}"),
        AMFSample("0F 03 00 3FF8000000000000", "{'$vector':'double','$fixed':false,'$items':[1.5]}"),
        AMFSample(
            "10 05 00 03 2A 06 03 61 01", "{'$vector':'object','$type':'*','$fixed':false,'$items':['a',null]}"),
        AMFSample("11 03 01 0405 06 03 61", "{'$dictionary':[[5,'a']],'$weakKeys':true}"),
        // Traits, then an object that refers to them; the object by reference; a member string by reference.
        AMFSample(
            "09 07 01 0A 13 03 50 03 61 0401 0A 01 0402 0A 02",
            "[{'$class':'P','$sealed':1,'$dynamic':false,'a':1},{'$class':'P','$sealed':1,'$dynamic':false,'a':2},"
                + "{'$reference':1}]"),
        AMFSample("09 05 01 06 03 61 06 00", "['a','a']"),
    ]
}

@Suite struct AMFTests {
    static func read(_ octets: [UInt8], _ limits: Limits = Limits()) -> AMFReader {
        AMFReader(octets.rawSpan, limits: limits)
    }

    @Test(arguments: AMFSample.amf0) func amf0(_ vector: AMFSample) {
        let read = Self.read(vector.octets)
        #expect(read.values.map { $0.json().text }.joined(separator: " ") == vector.json)
        #expect(read.flaws.filter(\.isFatal).isEmpty)
    }

    @Test(arguments: AMFSample.amf3) func amf3(_ vector: AMFSample) {
        let read = Self.read([0x11] + vector.octets)
        #expect(read.values.map { $0.json().text } == ["{'$amf3':" + vector.json + "}"])
        #expect(read.flaws.isEmpty)
    }

    @Test(arguments: AMFSample.amf0 + AMFSample.amf3.map { AMFSample(prefixed: $0) })
    func everyCutIsSaid(_ vector: AMFSample) {
        let whole = Self.read(vector.octets)
        for length in 0..<vector.octets.count {
            let cut = Self.read(Array(vector.octets[..<length]))
            #expect(cut.values.count <= whole.values.count)
            // A cut between two values, or in the data of an externalizable object, cannot be detected.
            if !cut.isBroken {
                #expect(cut.values == Array(whole.values.prefix(cut.values.count)))
            }
        }
    }

    @Test func referencesLeadToTheirObject() {
        let read = Self.read(hex("03 0004 636F6465 02 0001 78 000009 07 0000 07 0001"))
        #expect(read.values[1]["code"]?.text == "x")
        #expect(read.flaws == [AMFFlaw(kind: .badReference(1), offset: 17, isAMF3: false)])
        // An object that contains itself is not expanded, and is not malformed.
        let circle = Self.read(hex("03 0001 61 07 0000 000009"))
        #expect(circle.flaws.isEmpty && circle.values[0]["a"]?.properties == nil)
    }

    /// The kind and position of a defect, as rules use them.
    @Test(arguments: [
        ("0063", AMFFlaw.Kind.truncated(needed: 8, left: 1), 1), ("63", .unknownMarker(0x63), 0),
        ("05 12", .unknownMarker(0x12), 1),
        ("03 0001 61 05", .objectEndMissing, 5), ("08 00000001 0001 61 05", .objectEndMissing, 9),
        ("09", .strayObjectEnd, 0), ("08 00000002 0001 61 05 000009", .memberCount(announced: 2, found: 1), 1),
        ("02 0002 C328", .notUTF8, 3), ("02 0005 61", .truncated(needed: 5, left: 1), 3),
        ("11 12", .unknownMarker(0x12), 1), ("11 09 02", .badReference(1), 1), ("11 06 02", .badReference(1), 2),
        ("11 0A 05", .badReference(1), 1), ("11 06 05 C328", .notUTF8, 3),
        ("11 04 80", .truncated(needed: 1, left: 0), 3),
    ])
    func flaws(_ digits: String, _ kind: AMFFlaw.Kind, _ offset: Int) {
        let read = Self.read(hex(digits))
        #expect(read.flaws.first?.kind == kind)
        #expect(read.flaws.first?.offset == offset)
    }

    @Test func limitsHold() {
        let deep = (0..<100).flatMap { _ in hex("0A FFFFFFFF") }
        #expect(Self.read(deep).flaws.last?.kind == .tooDeep)
        let deep3: [UInt8] = [0x11] + (0..<100).flatMap { _ in hex("09 03 01") }
        #expect(Self.read(deep3).flaws.last?.kind == .tooDeep)
        let wide = hex("0A FFFFFFFF") + [UInt8](repeating: 5, count: 20_000)
        #expect(Self.read(wide).flaws.last?.kind == .tooManyValues)
        #expect(
            Self.read(hex("11 0D FFFFFFFF 00") + [UInt8](repeating: 0, count: 80_000)).flaws.last?.kind
                == .tooManyValues)
        // A string of 64 kB, repeated by a reference of two octets each.
        let long =
            hex("11 09 FD01 01 06 888001") + [UInt8](repeating: 0x61, count: 1 << 16)
            + (0..<8_000).flatMap { _ in hex("06 00") }
        #expect(Self.read(long).flaws.last?.kind == .tooMuchText)
        // Each object refers to the previous one: the nesting would be as deep as the message is long.
        var chain = hex("0A 00000000")
        for index in 0..<10_000 {
            chain += hex("0A 00000001 07")
            chain.append16(index)
        }
        let read = Self.read(chain)
        #expect(read.values.count > 8_000)
        #expect(read.values[8_000].json().text == "[{'$reference':7999}]")
    }

    @Test func secretsAreMaskedWhereverTheyStand() {
        let octets = hex("02 0003 6B6579 11 0C 0B 78 6B6579 78 11 06 07 6B6579 11 09 01 07 6B6579 06 02 01")
        let said = Self.read(octets).values.map { $0.json { _, text in text.contains("key") ? "***" : text }.text }
        #expect(said.joined().contains("6b6579") == false)
        #expect(said.prefix(3) == ["'***'", "{'$amf3':{'$bytes':'***'}}", "{'$amf3':'***'}"])
    }

    @Test(arguments: 0..<4) func damagedOctetsDoNoHarm(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let all = (AMFSample.amf0 + AMFSample.amf3.map { AMFSample(prefixed: $0) }).flatMap(\.octets)
        for _ in 0..<2_000 {
            var octets = all
            let start = Int(generator.next() % UInt64(all.count))
            octets = Array(octets[start...])
            for _ in 0..<3 where !octets.isEmpty {
                octets[Int(generator.next() % UInt64(octets.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            for value in Self.read(octets).values { _ = value.json() }
        }
    }
}

extension AMFSample {
    init(prefixed vector: AMFSample) {
        octets = [0x11] + vector.octets
        json = vector.json
    }
}

extension FieldValue {
    /// The value as JSON, with ' for quotation marks.
    var text: String {
        switch self {
        case .null: "null"
        case .string(let text): "'\(text)'"
        case .integer(let number): "\(number)"
        case .double(let number), .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "'\($0.name)':\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}
