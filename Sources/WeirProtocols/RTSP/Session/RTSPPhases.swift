import WeirEngine

extension Phase {
    /// The RTSP phase in which description and transport are negotiated.
    static let negotiate: Phase = "negotiate"
}
