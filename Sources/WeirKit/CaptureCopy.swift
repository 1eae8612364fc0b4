import WeirCapture
import WeirPackets

/// Copies a capture into a pcapng file that also contains secrets, so that one file can be handed on.
package enum CaptureCopy {
    /// The number of octets written at once.
    private static let blockSize = 256 * 1024

    /// Copies all frames of a file behind a Decryption Secrets Block.
    ///
    /// - Parameters:
    ///   - secrets: Lines of a key log.
    ///   - application: The name of the program, for the header of the file.
    ///   - output: Receives the octets.
    /// - Throws: `CaptureError` at damage, after writing the frames before it.
    package static func write(
        _ file: String, secrets: [UInt8], application: String, output: ([UInt8]) -> Void
    ) throws(CaptureError) {
        var capture = try CaptureFile(file)
        guard let encoder = CaptureEncoder(.pcapng, interfaces: [], filter: nil, application: application) else {
            return
        }
        var octets = encoder.header + CaptureEncoder.secrets(secrets)
        defer { output(octets) }
        let snapLength = capture.snapLengths.contains(0) ? 0 : capture.snapLengths.max() ?? 0
        var (interfaces, dropped) = (0, 0)
        while true {
            // The count of the file cannot be read while a frame is in use.
            let drops = capture.droppedPackets &- dropped
            dropped = capture.droppedPackets
            guard let frame = try capture.next() else { return }
            while interfaces <= frame.info.interface {
                octets += encoder.description(
                    of: LiveCapture.Interface(
                        name: "interface \(interfaces)", linkType: frame.info.linkType, snapLength: snapLength))
                interfaces &+= 1
            }
            encoder.append(frame, drops: drops, to: &octets)
            if octets.count >= blockSize {
                output(octets)
                octets.removeAll(keepingCapacity: true)
            }
        }
    }
}
