import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

/// Writes the shards of a capture.
package struct ShardWriter {
    /// The number of octets buffered for each shard.
    private static let blockSize = 256 * 1024

    private let plan: ShardPlan
    private let encoder: CaptureEncoder
    private let output: (Int, [UInt8]) -> Void
    private var buffers: [[UInt8]]
    /// Dropped packets to record before the next frame of each shard: any of them may be missing there.
    private var drops: [Int]
    /// The frames of each shard, by interface.
    private var received: [[Int]]
    /// The frames of each shard.
    package var frames: [Int] { received.map { $0.reduce(0, +) } }

    /// Creates a writer; nil without frames.
    ///
    /// - Parameters:
    ///   - application: The name of the program, for the header of each file.
    ///   - output: Receives octets for a shard.
    package init?(_ plan: ShardPlan, application: String, output: @escaping (Int, [UInt8]) -> Void) {
        guard !plan.interfaces.isEmpty,
            let encoder = CaptureEncoder(
                .pcapng, interfaces: plan.interfaces, filter: nil, application: application)
        else { return nil }
        self.plan = plan
        self.encoder = encoder
        self.output = output
        buffers = [[UInt8]](repeating: encoder.header, count: plan.count)
        drops = [Int](repeating: 0, count: plan.count)
        received = [[Int]](repeating: [Int](repeating: 0, count: plan.interfaces.count), count: plan.count)
    }

    /// Reads the capture a last time, and writes each frame to its shard.
    ///
    /// - Throws: `CaptureError` at damage, after writing the frames before it.
    package mutating func write(_ file: String, limits: Limits) throws(CaptureError) {
        defer { finish() }
        var capture = try CaptureFile(file)
        var decoder = PacketDecoder(limits: limits, verifyChecksums: false)
        while let frame = try capture.next() {
            let shard = plan.shard(decoder.decode(frame))
            if let more = plan.drops[frame.info.number] {
                for index in drops.indices { drops[index] &+= more }
            }
            encoder.append(frame, drops: drops[shard], to: &buffers[shard])
            drops[shard] = 0
            if received[shard].indices.contains(frame.info.interface) {
                received[shard][frame.info.interface] &+= 1
            }
            if buffers[shard].count >= Self.blockSize { flush(shard) }
        }
    }

    /// Records the end of the whole capture in each shard: what happens until then, such as no response, is known.
    private mutating func finish() {
        for shard in buffers.indices {
            if let end = plan.end {
                for interface in plan.interfaces.indices {
                    var counts = LiveStatistics()
                    counts.received = received[shard][interface]
                    buffers[shard] += encoder.end(of: interface, counts, at: end)
                }
            }
            flush(shard)
        }
    }

    private mutating func flush(_ shard: Int) {
        output(shard, buffers[shard])
        buffers[shard].removeAll(keepingCapacity: true)
    }
}
