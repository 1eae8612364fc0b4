/// Maps captures to paths in the repository, as used by services.
package struct CheckoutPaths: Sendable {
    /// The root of the checkout; empty if there is none.
    package var root = ""
    /// The current directory, for relative names.
    package var current = ""

    /// The capture files of interfaces, by interface name.
    package var files: [String: String] = [:]

    /// Creates a mapping; without a checkout, names stay unchanged.
    package init(root: String = "", current: String = "") {
        self.root = root
        self.current = current
    }

    /// Returns the path relative to the checkout, or the unchanged name if it is outside.
    package func relative(_ capture: String) -> String {
        let name = files[capture] ?? capture
        guard !root.isEmpty, name != "-" else { return name }
        let path = Self.parts(name.hasPrefix("/") ? name : current + "/" + name)
        let folder = Self.parts(root)
        guard path.count > folder.count, path.starts(with: folder) else { return name }
        return path.dropFirst(folder.count).joined(separator: "/")
    }

    /// Returns the normalized components of a path.
    private static func parts(_ path: String) -> [Substring] {
        var result: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = result.popLast() } else { result.append(part) }
        }
        return result
    }

    /// Returns a name as a URI reference (RFC 3986 §4.1).
    static func uri(_ name: String) -> String {
        var result = ""
        for octet in name.utf8 {
            let scalar = Unicode.Scalar(octet)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": result.unicodeScalars.append(scalar)
            default:
                let digits = String(octet, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
