import Foundation
import WeirCapture
import WeirPackets

/// The seeds: frames of captures, and their payloads.
struct Corpus {
    /// Captures in the format of the target `frames`.
    private(set) var captures: [[UInt8]] = []
    /// The capture files.
    private(set) var files: [[UInt8]] = []
    /// The stream of each direction of a TCP connection, in capture order.
    private(set) var streams: [[UInt8]] = []
    /// UDP payloads.
    private(set) var datagrams: [[UInt8]] = []

    init(_ paths: [String]) throws(CaptureError) {
        for path in paths {
            if let octets = FileManager.default.contents(atPath: path) { files.append(Array(octets.prefix(20_000))) }
            var capture = try CaptureFile(path)
            var decoder = PacketDecoder()
            var packed: [UInt8] = []
            var flows: [Endpoint: [UInt8]] = [:]
            while let frame = try capture.next() {
                let octets = (0..<frame.bytes.byteCount).compactMap { frame.bytes.byte(at: $0) }
                if packed.count < 40_000, octets.count < 65_536 {
                    packed += [UInt8(octets.count >> 8), UInt8(octets.count & 255)] + octets
                }
                guard case .transport(let unit) = decoder.decode(frame), !unit.isReassembled else { continue }
                let payload = Array(octets[unit.payload])
                if unit.transport == .udp {
                    if datagrams.count < 2_000 { datagrams.append(payload) }
                } else if flows[unit.source, default: []].count < 20_000 {
                    flows[unit.source, default: []] += payload
                }
            }
            captures.append(packed)
            streams += flows.sorted { $0.key.description < $1.key.description }.map(\.value).filter { !$0.isEmpty }
        }
    }
}
