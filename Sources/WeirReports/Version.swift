/// The version of Weir.
public enum Version {
    /// The version number (Semantic Versioning 2.0.0).
    public static let number = "0.1.0"
}
