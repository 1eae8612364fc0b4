import FuzzReaders
import Foundation
import Testing

/// Inputs found by fuzzing, read again in every run.
@Suite("Inputs that once failed")
struct FuzzCaseTests {
    /// The cases, by name: the target, a hyphen, the defect.
    private static let cases: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }.sorted()
    }()

    private static let folder = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fuzz/Cases"

    @Test("each is read to its end, and keeps the readers' guarantees", .timeLimit(.minutes(1)), arguments: cases)
    func read(_ name: String) throws {
        let target = try #require(FuzzTarget.allCases.first { name.hasPrefix($0.rawValue + "-") })
        let octets = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + name))
        #expect(target.read(Array(octets)) == nil)
    }

    @Test("the folder of cases is not empty")
    func found() {
        #expect(!Self.cases.isEmpty)
    }
}
