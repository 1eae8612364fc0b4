package import WeirEngine

extension Phase {
    /// The RTSP phase in which description and transport are negotiated.
    package static let negotiate: Phase = "negotiate"
}
