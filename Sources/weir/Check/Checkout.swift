import CProcess
import SystemPackage
import WeirCapture
import WeirReports

/// The source checkout of the working directory.
enum Checkout {
    /// The paths of the checkout: its root is the nearest parent directory that contains `.git`.
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
        // Sound: the function writes at most the count that is passed.
        let length = unsafe process_folder(&path, Int32(path.count))
        guard length > 0 else { return nil }
        return String(decoding: path.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The calendar date.
enum Calendar {
    /// Today's date in UTC, such as `2026-11-22`.
    static var today: String {
        let civil = CivilTime(LiveCapture.now())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
    }
}
