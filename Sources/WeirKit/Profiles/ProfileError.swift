/// What is wrong with a profile or a baseline, and where.
public struct ProfileError: Error, Equatable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The line, from 1; nil where it is the file as a whole.
    public var line: Int?
    /// What is wrong, in words.
    public var reason: String

    /// `weir.yml:12: there is no key 'faill-on'. Did you mean 'fail-on'?`
    public var description: String { "\(file):\(line.map { "\($0): " } ?? " ")\(reason)" }
}
