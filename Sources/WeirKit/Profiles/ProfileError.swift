/// An error in a profile or a baseline, with its location.
public struct ProfileError: Error, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The 1-based line, or nil if the error concerns the whole file.
    public var line: Int?
    /// A description of the error.
    public var reason: String

    /// A one-line description, such as `weir.yml:12: there is no key 'faill-on'. Did you mean 'fail-on'?`
    public var description: String { "\(file):\(line.map { "\($0): " } ?? " ")\(reason)" }
}
