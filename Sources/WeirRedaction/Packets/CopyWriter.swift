import WeirCapture
import WeirPackets

/// Writes a capture with changed frames, in the format of the original: times, lengths and drop counts stay; comments, names,
/// secrets and statistics are left out.
struct CopyWriter {
    private let file: String
    private let application: String
    private let format: CaptureFile.Format
    private let snapLength: Int
    private static let blockSize = 256 * 1024

    init(_ file: String, application: String) throws(CaptureError) {
        self.file = file
        self.application = application
        let capture = try CaptureFile(file)
        format = capture.format
        snapLength = capture.snapLengths.contains(0) ? 0 : capture.snapLengths.max() ?? 0
    }

    /// Copies all frames, up to damage.
    func copy(_ change: (inout [UInt8], FrameInfo) -> Void, output: ([UInt8]) -> Void) throws(CaptureError) {
        do throws(CaptureError) {
            try copyAll(change, output)
        } catch {
            guard error.frame != nil else { throw error }
        }
    }

    private func copyAll(_ change: (inout [UInt8], FrameInfo) -> Void, _ output: ([UInt8]) -> Void) throws(CaptureError)
    {
        var capture = try CaptureFile(file)
        let linkType = capture.linkTypes.first ?? .ethernet
        let first = interface(0, linkType, snapLength: format == .pcap && snapLength == 0 ? 262_144 : snapLength)
        guard
            let encoder = CaptureEncoder(
                format, interfaces: format == .pcap ? [first] : [], filter: nil, application: application)
        else { return }
        var octets = encoder.header
        defer { output(octets) }
        var (interfaces, dropped) = (0, 0)
        while true {
            // The count of the file cannot be read while a frame is in use.
            let drops = capture.droppedPackets &- dropped
            dropped = capture.droppedPackets
            guard let frame = try capture.next() else { return }
            while format != .pcap, interfaces <= frame.info.interface {
                octets += encoder.description(of: interface(interfaces, frame.info.linkType, snapLength: snapLength))
                interfaces &+= 1
            }
            var changed = frame.bytes.array()
            change(&changed, frame.info)
            encoder.append(Frame(info: frame.info, bytes: changed.rawSpan), drops: drops, to: &octets)
            if octets.count >= Self.blockSize {
                output(octets)
                octets.removeAll(keepingCapacity: true)
            }
        }
    }

    private func interface(_ number: Int, _ linkType: LinkType, snapLength: Int) -> LiveCapture.Interface {
        LiveCapture.Interface(name: "interface \(number)", linkType: linkType, snapLength: snapLength)
    }
}
