/// An event that ends a connection or one direction of it.
enum ConnectionEnd {
    /// One side sent a FIN.
    case finished
    /// Both sides sent a FIN.
    case closed
    /// The connection attempt was rejected with RST.
    case refused
    /// The connection was reset, possibly after bytes that are missing from the capture.
    case reset(lacksOctets: Bool)
}
