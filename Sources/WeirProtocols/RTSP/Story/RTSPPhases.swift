public import WeirEngine

extension Phase {
    /// RTSP: the two sides agree on what will be sent, and how.
    public static let negotiate: Phase = "negotiate"
}
