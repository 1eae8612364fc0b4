import Foundation
import WeirCapture
import WeirPackets

/// Builds captures field by field.
struct CaptureBytes {
    var octets: [UInt8] = []
    let isBigEndian: Bool

    init(bigEndian: Bool = false) {
        isBigEndian = bigEndian
    }

    mutating func add<Value: FixedWidthInteger>(_ value: Value) {
        let little = (0..<(Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        octets += isBigEndian ? little.reversed() : little
    }

    // MARK: pcap

    /// A file header.
    static func pcap(
        magic: UInt32 = 0xA1B2_C3D4,
        bigEndian: Bool = false,
        snapLength: UInt32 = 262_144,
        linkType: UInt32 = 1
    ) -> Self {
        var file = Self(bigEndian: bigEndian)
        file.add(magic)
        file.add(UInt16(2))
        file.add(UInt16(4))
        file.add(UInt32(0))
        file.add(UInt32(0))
        file.add(snapLength)
        file.add(linkType)
        return file
    }

    /// A record; `extra` octets follow its header in modified formats.
    mutating func record(
        _ data: [UInt8],
        seconds: UInt32 = 1_700_000_000,
        fraction: UInt32 = 0,
        originalLength: Int? = nil,
        extra: Int = 0
    ) {
        add(seconds)
        add(fraction)
        add(UInt32(data.count))
        add(UInt32(originalLength ?? data.count))
        octets += [UInt8](repeating: 0xEE, count: extra)
        octets += data
    }

    // MARK: pcapng

    /// A block: type, length, body padded to four octets, length.
    mutating func block(_ type: UInt32, _ body: (inout CaptureBytes) -> Void) {
        var inner = CaptureBytes(bigEndian: isBigEndian)
        body(&inner)
        while inner.octets.count % 4 != 0 { inner.octets.append(0) }
        add(type)
        add(UInt32(inner.octets.count + 12))
        octets += inner.octets
        add(UInt32(inner.octets.count + 12))
    }

    mutating func section() {
        block(0x0A0D_0D0A) {
            $0.add(UInt32(0x1A2B_3C4D))
            $0.add(UInt16(1))
            $0.add(UInt16(0))
            $0.add(Int64(-1))
        }
    }

    /// An interface description with options (code and value).
    mutating func interface(linkType: UInt16 = 1, snapLength: UInt32 = 0, options: [(UInt16, [UInt8])] = []) {
        block(1) {
            $0.add(linkType)
            $0.add(UInt16(0))
            $0.add(snapLength)
            for (code, value) in options {
                $0.add(code)
                $0.add(UInt16(value.count))
                $0.octets += value
                while $0.octets.count % 4 != 0 { $0.octets.append(0) }
            }
            if !options.isEmpty { $0.add(UInt32(0)) }
        }
    }

    mutating func enhanced(_ data: [UInt8], interface: UInt32 = 0, units: UInt64 = 0, originalLength: Int? = nil) {
        block(6) {
            $0.add(interface)
            $0.add(UInt32(truncatingIfNeeded: units >> 32))
            $0.add(UInt32(truncatingIfNeeded: units))
            $0.add(UInt32(data.count))
            $0.add(UInt32(originalLength ?? data.count))
            $0.octets += data
        }
    }
}

/// A copy of a frame that remains valid after the reader's buffer is reused.
struct Copied: Equatable {
    var number: Int
    var time: Int64
    var originalLength: Int
    var interface: Int
    var linkType: Int
    var octets: [UInt8]

    init(_ frame: borrowing Frame) {
        number = frame.info.number
        time = frame.info.time.nanoseconds
        originalLength = frame.info.originalLength
        interface = frame.info.interface
        linkType = frame.info.linkType.rawValue
        octets = []
        var reader = ByteReader(frame.bytes)
        while let octet = try? reader.uint8() { octets.append(octet) }
    }
}

/// The result of reading a file to its end or its damage.
struct Outcome {
    var frames: [Copied] = []
    var error: CaptureError?
    var format: CaptureFile.Format?
    var linkTypes: [Int] = []
    var snapLengths: [Int] = []
    var octetsRead = 0
    var size: Int?
    var compression: Compression?

    init(reading path: String, filter: CaptureFilter? = nil) {
        do throws(CaptureError) {
            var file = try CaptureFile(path, filter: filter)
            format = file.format
            size = file.size
            compression = file.compression
            do throws(CaptureError) {
                while let frame = try file.next() { frames.append(Copied(frame)) }
            } catch {
                self.error = error
            }
            linkTypes = file.linkTypes.map(\.rawValue)
            snapLengths = file.snapLengths
            octetsRead = file.octetsRead
        } catch {
            self.error = error
        }
    }

    init(of octets: [UInt8], filter: CaptureFilter? = nil) throws {
        let path = try temporaryFile(octets)
        defer { try? FileManager.default.removeItem(atPath: path) }
        self.init(reading: path, filter: filter)
    }
}

/// Writes octets to a new file whose name does not reveal its content.
func temporaryFile(_ octets: [UInt8]) throws -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)")
    try Data(octets).write(to: url)
    return url.path
}
