/// Which Weir this is.
public enum Version {
    /// The number of this version, as reports and `weir --version` give it (Semantic Versioning 2.0.0).
    public static let number = "0.1.0"
}
