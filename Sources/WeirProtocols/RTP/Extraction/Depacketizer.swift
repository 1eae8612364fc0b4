import WeirPackets

/// Converts the payloads of one stream into a playable file.
protocol Depacketizer {
    /// The usual file extension.
    var fileExtension: String { get }
    /// Whether octets of a picture are buffered until its last packet.
    var gathersPictures: Bool { get }
    /// Octets buffered for pictures other than the current one.
    var waitingOctets: Int { get }
    /// Frames, or audio packets, received.
    var framesIn: Int { get }
    /// Frames, or audio packets, written.
    var framesOut: Int { get }
    /// Processes the next packet and returns octets to write.
    mutating func take(_ packet: ExtractedPacket) -> [UInt8]
    /// Processes the end of the stream and returns octets to write.
    mutating func finish() -> [UInt8]
    /// Header fields to overwrite once the final values are known.
    var patches: [FilePatch] { get }
}

/// Octets that overwrite a part of a file.
package struct FilePatch: Sendable {
    /// Offset in the file.
    package var offset: Int
    /// The replacement octets.
    package var octets: [UInt8]
}

extension Depacketizer {
    var gathersPictures: Bool { false }
    var waitingOctets: Int { 0 }
    var patches: [FilePatch] { [] }
}

/// The reason why a stream cannot be written.
package enum ExtractionProblem: Sendable, Hashable {
    /// The payloads are encrypted.
    case encrypted
    /// The payload type is not mapped to a format.
    case unknownFormat(UInt8)
    /// The format is known but not supported for extraction.
    case unsupported(String)

    /// A description of the reason.
    package var reason: String {
        switch self {
        case .encrypted: "the media is encrypted (SRTP)"
        case .unknownFormat(let type): "the codec of payload type \(type) is unknown"
        case .unsupported(let encoding): "extraction of \(encoding) is not supported"
        }
    }
}

enum Depacketizers {
    /// Returns the depacketizer for a format.
    static func make(_ format: MediaFormat) throws(ExtractionFailure) -> any Depacketizer {
        guard !format.isEncrypted else { throw ExtractionFailure(problem: .encrypted) }
        switch format.payload {
        case .h264 where format.isInterleaved: return InterleavedDepacketizer(format)
        case .h264, .h265, .h266: return NALUnitDepacketizer(format)
        case .vp8, .vp9, .av1: return VideoFrameDepacketizer(format)
        case .jpeg: return JPEGDepacketizer()
        case .mpeg4Video: return MPEG4VideoDepacketizer(format)
        case .audioMux:
            if let made = LATMDepacketizer(format) { return made }
        case .mpeg4Generic(let sizes):
            if let made = AACDepacketizer(format, sizes) { return made }
        case .samples:
            if let made = SampleDepacketizer(format) { return made }
        default: break
        }
        switch format.encoding.uppercased() {
        case "OPUS": return OpusDepacketizer(format)
        case "PS", "MP2P": return OctetDepacketizer(fileExtension: "mpg", skip: 0)
        case "MP2T": return OctetDepacketizer(fileExtension: "ts", skip: 0)
        case "AC3", "EAC3": return AC3Depacketizer(isEnhanced: format.encoding.uppercased() == "EAC3")
        case "MPA": return OctetDepacketizer(fileExtension: "mp2", skip: 4)
        case "GSM", "G729", "G728": return OctetDepacketizer(fileExtension: format.encoding.lowercased(), skip: 0)
        default: throw ExtractionFailure(problem: .unsupported(format.encoding))
        }
    }
}

/// An error that prevents writing a stream.
struct ExtractionFailure: Error {
    let problem: ExtractionProblem
}

/// Writes formats whose payloads are concatenated, without a fixed number of leading octets each.
struct OctetDepacketizer: Depacketizer {
    let fileExtension: String
    let skip: Int
    private(set) var framesIn = 0
    private(set) var framesOut = 0

    init(fileExtension: String, skip: Int) {
        self.fileExtension = fileExtension
        self.skip = skip
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        framesIn += 1
        guard !packet.isCut, packet.payload.count > skip else { return [] }
        framesOut += 1
        return Array(packet.payload.dropFirst(skip))
    }

    mutating func finish() -> [UInt8] { [] }
}
