/// The versions of Weir and of its reports.
public enum Version {
    /// The version number (Semantic Versioning 2.0.0).
    public static let number = "0.1.0"
    /// The version of the schema of reports and tables.
    package static let schema = "1.0"
}
