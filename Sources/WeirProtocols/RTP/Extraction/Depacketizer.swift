import WeirPackets

/// Makes a playable file of the payloads of one stream.
protocol Depacketizer {
    /// What such files are usually called.
    var fileExtension: String { get }
    /// Whether it keeps the octets of a picture until its last packet has come.
    var gathersPictures: Bool { get }
    /// Octets that it keeps of other pictures than the one at hand.
    var waitingOctets: Int { get }
    /// Frames, or packets of sound, that came.
    var framesIn: Int { get }
    /// Those that were written.
    var framesOut: Int { get }
    /// Takes the next packet; returns octets to be written.
    mutating func take(_ packet: ExtractedPacket) -> [UInt8]
    /// Nothing more comes; returns octets to be written.
    mutating func finish() -> [UInt8]
    /// What is to be written over the beginning of a file, now that all is known.
    var patches: [FilePatch] { get }
}

/// Octets that are to be written over others.
package struct FilePatch: Sendable {
    /// Where they begin in the file.
    package var offset: Int
    /// The octets.
    package var octets: [UInt8]
}

extension Depacketizer {
    var gathersPictures: Bool { false }
    var waitingOctets: Int { 0 }
    var patches: [FilePatch] { [] }
}

/// Why a stream cannot be written.
package enum ExtractionProblem: Sendable, Hashable {
    /// Its payloads are encrypted.
    case encrypted
    /// Nobody said what its payload types mean.
    case unknownFormat(UInt8)
    /// The format is known, and not written.
    case unsupported(String)

    /// The reason in words.
    package var reason: String {
        switch self {
        case .encrypted: "the media is encrypted (SRTP)"
        case .unknownFormat(let type): "nothing says what payload type \(type) is"
        case .unsupported(let encoding): "\(encoding) is not written to files"
        }
    }
}

enum Depacketizers {
    /// The depacketizer of a format.
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
        case "MPA": return OctetDepacketizer(fileExtension: "mp2", skip: 4)
        case "GSM", "G729", "G728": return OctetDepacketizer(fileExtension: format.encoding.lowercased(), skip: 0)
        default: throw ExtractionFailure(problem: .unsupported(format.encoding))
        }
    }
}

/// A stream cannot be written.
struct ExtractionFailure: Error {
    let problem: ExtractionProblem
}

/// Formats whose payloads stand one behind the other in a file, each without so many octets at its beginning.
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
