import WeirCapture
import WeirPackets

/// Copies a capture into a new file: with secrets, so that one file can be handed on, or with changed frames. Times, lengths and
/// drop counts stay; comments, names, and secrets that are not given are left out.
package enum CaptureCopy {
    /// The format of a copy.
    package enum Format: Sendable {
        /// pcapng.
        case pcapng
        /// That of the original.
        case same
    }

    /// The number of octets written at once.
    private static let blockSize = 256 * 1024

    /// Copies all frames of a file.
    ///
    /// - Parameters:
    ///   - secrets: Lines of a key log, for a Decryption Secrets Block before the frames.
    ///   - application: The name of the program, for the header of the file.
    ///   - change: Changes the octets of a frame, not their number.
    ///   - output: Receives the octets.
    /// - Throws: `CaptureError` at damage, after writing the frames before it.
    package static func write(
        _ file: String, as copied: Format = .pcapng, secrets: [UInt8] = [], application: String,
        change: (inout [UInt8], FrameInfo) -> Void = { _, _ in }, output: ([UInt8]) -> Void
    ) throws(CaptureError) {
        var capture = try CaptureFile(file)
        let snapLength = capture.snapLengths.contains(0) ? 0 : capture.snapLengths.max() ?? 0
        let isPcap = copied == .same && capture.format == .pcap
        // pcap names its only link type at the start.
        let only = LiveCapture.Interface(
            name: "interface 0", linkType: capture.linkTypes.first ?? .ethernet,
            snapLength: snapLength == 0 ? 262_144 : snapLength)
        guard
            let encoder = CaptureEncoder(
                isPcap ? .pcap : .pcapng, interfaces: isPcap ? [only] : [], filter: nil, application: application)
        else { return }
        var octets = encoder.header + (secrets.isEmpty ? [] : CaptureEncoder.secrets(secrets))
        defer { output(octets) }
        var (interfaces, dropped) = (0, 0)
        while true {
            // The count of the file cannot be read while a frame is in use.
            let drops = capture.droppedPackets &- dropped
            dropped = capture.droppedPackets
            guard let frame = try capture.next() else { return }
            while !isPcap, interfaces <= frame.info.interface {
                octets += encoder.description(
                    of: LiveCapture.Interface(
                        name: "interface \(interfaces)", linkType: frame.info.linkType, snapLength: snapLength))
                interfaces &+= 1
            }
            var changed = frame.bytes.array()
            change(&changed, frame.info)
            encoder.append(Frame(info: frame.info, bytes: changed.rawSpan), drops: drops, to: &octets)
            if octets.count >= blockSize {
                output(octets)
                octets.removeAll(keepingCapacity: true)
            }
        }
    }
}
