package import WeirEngine

extension Phase {
    /// RTSP: the two sides agree on what will be sent, and how.
    package static let negotiate: Phase = "negotiate"
}
