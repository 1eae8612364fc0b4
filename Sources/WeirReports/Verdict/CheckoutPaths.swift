/// Names captures as a service knows them that has only the checkout.
package struct CheckoutPaths: Sendable {
    /// The checkout's folder; empty when there is none.
    package var root = ""
    /// The folder that relative names count from.
    package var current = ""

    /// Files in which captures are kept that have another name: those of interfaces.
    package var files: [String: String] = [:]

    /// Without a checkout, names stay as they are.
    package init(root: String = "", current: String = "") {
        self.root = root
        self.current = current
    }

    /// The name below the checkout; as it was given where it lies elsewhere.
    package func relative(_ capture: String) -> String {
        let name = files[capture] ?? capture
        guard !root.isEmpty, name != "-" else { return name }
        let path = Self.parts(name.hasPrefix("/") ? name : current + "/" + name)
        let folder = Self.parts(root)
        guard path.count > folder.count, path.starts(with: folder) else { return name }
        return path.dropFirst(folder.count).joined(separator: "/")
    }

    /// The steps of a path, without those that lead nowhere.
    private static func parts(_ path: String) -> [Substring] {
        var result: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = result.popLast() } else { result.append(part) }
        }
        return result
    }

    /// A name as a URI reference (RFC 3986 §4.1).
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
