/// Why a capture could not be read, or not to its end: which file, where in it, and what was wrong there.
///
/// Whatever stood before the damage has been delivered when this is thrown.
public struct CaptureError: Error, Hashable, Sendable {
    /// What kind of thing went wrong.
    public enum Kind: Hashable, Sendable {
        /// There is no such file.
        case notFound
        /// The file may not be read by this user.
        case permissionDenied
        /// The name is a directory's.
        case directory
        /// The operating system would not open or read the file for another reason.
        case unreadable
        /// The file has no octets at all.
        case empty
        /// The file is something else than a capture.
        case notACapture
        /// The file ends in the middle of something: of its header, of a packet, or of its compressed data.
        case cutShort
        /// A packet, a block or the compressed data contradicts its format.
        case damaged
        /// The filter does not apply to a link type of this capture.
        case filter
    }

    /// What kind of thing went wrong.
    public let kind: Kind
    /// The file, named as the user named it; `-` is the standard input.
    public let file: String
    /// Where the packet or block that could not be read begins, in octets from the start of the capture (of what was
    /// compressed, when the file is); nil when nothing of the file was read.
    public let offset: Int?
    /// The number of the frame that could not be delivered, 1-based; nil when the capture had not begun.
    public let frame: Int?
    /// What was wrong, in words, without the name of the file.
    public let reason: String

    /// Creates an error from its parts.
    public init(_ kind: Kind, file: String, offset: Int? = nil, frame: Int? = nil, reason: String) {
        self.kind = kind
        self.file = file
        self.offset = offset
        self.frame = frame
        self.reason = reason
    }
}

extension CaptureError: CustomStringConvertible {
    /// One line for people: `rtsp.pcap: the file ends inside a packet (frame 12, at octet 8123)`.
    public var description: String {
        let name = file == "-" ? "standard input" : file
        switch (frame, offset) {
        case (let frame?, let offset?): return "\(name): \(reason) (frame \(frame), at octet \(offset))"
        case (nil, let offset?): return "\(name): \(reason) (at octet \(offset))"
        case (let frame?, nil): return "\(name): \(reason) (frame \(frame))"
        case (nil, nil): return "\(name): \(reason)"
        }
    }
}
