import WeirPackets

/// Writes AC-3 (RFC 4184) and Enhanced AC-3 (RFC 4598) frames unchanged.
///
/// A payload starts with two octets: the frame type or fragment flag, and the number of frames, or of fragments of the
/// frame.
struct AC3Depacketizer: Depacketizer {
    var fileExtension: String { isEnhanced ? "eac3" : "ac3" }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let isEnhanced: Bool
    /// The frame being reassembled: its octets, and the fragments still expected.
    private var fragment: (octets: [UInt8], left: Int)?

    init(isEnhanced: Bool) { self.isEnhanced = isEnhanced }

    private static let header = 2

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        let payload = packet.payload
        guard !packet.isCut, payload.count > Self.header else {
            framesIn += 1
            fragment = nil
            return []
        }
        if packet.missingBefore > 0 { fragment = nil }
        let (kind, count) = (payload[0] & (isEnhanced ? 1 : 3), Int(payload[1]))
        let frame = payload.dropFirst(Self.header)
        guard kind != 0 else {
            fragment = nil
            framesIn += count
            framesOut += count
            return Array(frame)
        }
        // The sync word 0x0B77 begins a frame.
        if frame.starts(with: [0x0B, 0x77]), kind != 3 {
            framesIn += 1
            fragment = ([], count)
        }
        guard var open = fragment else { return [] }
        open.octets += frame
        open.left -= 1
        fragment = open.left > 0 ? open : nil
        guard open.left <= 0 else { return [] }
        framesOut += 1
        return open.octets
    }

    mutating func finish() -> [UInt8] { [] }
}
