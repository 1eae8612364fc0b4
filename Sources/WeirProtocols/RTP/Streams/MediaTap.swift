import WeirPackets

/// Is shown every packet of media as it is counted, with its payload: who writes media into files.
package protocol MediaTap: AnyObject {
    /// A packet came that is no duplicate of the capture's own.
    ///
    /// - Parameters:
    ///   - stream: the stream's number, as in reports.
    ///   - header: the packet's header.
    ///   - payload: its payload, as far as it was captured.
    ///   - format: what its payload type means; nil when nobody knows.
    func take(_ stream: Int, _ header: RTPHeader, _ payload: RawSpan, _ format: MediaFormat?)
    /// A packet came before it was known that the flow is media: its payload was not kept.
    func miss(_ stream: Int)
    /// A stream is over.
    func end(_ stream: Int, isEncrypted: Bool, _ format: MediaFormat?)
}
