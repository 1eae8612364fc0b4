import WeirPackets

/// An observer of all media packets and their payloads, as they are counted; used to write media to files.
package protocol MediaTap: AnyObject {
    /// Processes a packet that was not duplicated by the capture.
    ///
    /// - Parameters:
    ///   - stream: the stream number, as in reports.
    ///   - header: the packet header.
    ///   - payload: its payload, as captured.
    ///   - format: the format of its payload type, or nil if unknown.
    func take(_ stream: Int, _ header: RTPHeader, _ payload: RawSpan, _ format: MediaFormat?)
    /// Counts a packet received before the flow was recognized as media; its payload was not kept.
    func miss(_ stream: Int)
    /// Processes the end of a stream.
    func end(_ stream: Int, isEncrypted: Bool, _ format: MediaFormat?)
}
