/// An error that stops reading a capture: the file, the position and the reason.
///
/// Everything before the damage has been delivered when it is thrown.
public struct CaptureError: Error, Hashable, Sendable {
    /// The kind of error.
    public enum Kind: Hashable, Sendable {
        /// The file does not exist.
        case notFound
        /// The user has no permission to read the file.
        case permissionDenied
        /// The path is a directory.
        case directory
        /// The operating system failed to open or read the file for another reason.
        case unreadable
        /// The file is empty.
        case empty
        /// The file is not a capture.
        case notACapture
        /// The file is truncated in its header, in a packet, or in its compressed data.
        case cutShort
        /// A packet, a block or the compressed data violates its format.
        case damaged
        /// The filter does not apply to a link type of the capture.
        case filter
    }

    /// The kind of error.
    public let kind: Kind
    /// The file name as given by the user; `-` is the standard input.
    public let file: String
    /// The offset of the packet or block that could not be read, in octets from the start of the (decompressed)
    /// capture; nil if nothing was read.
    public let offset: Int?
    /// The 1-based number of the frame that could not be read; nil before the first one.
    public let frame: Int?
    /// A description of the error, without the file name.
    public let reason: String

    /// Creates an error.
    public init(_ kind: Kind, file: String, offset: Int? = nil, frame: Int? = nil, reason: String) {
        self.kind = kind
        self.file = file
        self.offset = offset
        self.frame = frame
        self.reason = reason
    }
}

extension CaptureError: CustomStringConvertible {
    /// A one-line description, such as
    /// `rtsp.pcap: the file is cut short in the middle of a packet: 6 of 60 octets (frame 12, at octet 8123)`.
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
