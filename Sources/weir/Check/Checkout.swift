import CProcess
import SystemPackage
import WeirCapture
import WeirReports

/// The checkout that the command runs in.
enum Checkout {
    /// Its folder is the nearest one above with a `.git` in it.
    static var paths: CheckoutPaths {
        guard let current = currentFolder else { return CheckoutPaths() }
        var folder = FilePath(current)
        while !TextFile.exists(folder.appending(".git").string) {
            guard folder.removeLastComponent() else { return CheckoutPaths(root: current, current: current) }
        }
        return CheckoutPaths(root: folder.string, current: current)
    }

    private static var currentFolder: String? {
        var path = [CChar](repeating: 0, count: 4_096)
        // Sound: the function writes no more than the count that it is told.
        let length = unsafe process_folder(&path, Int32(path.count))
        guard length > 0 else { return nil }
        return String(decoding: path.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Today.
enum Calendar {
    /// In UTC, as `2026-11-22`.
    static var today: String {
        let civil = CivilTime(LiveCapture.now())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
    }
}
