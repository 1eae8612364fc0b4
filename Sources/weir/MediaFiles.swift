import ArgumentParser
import WeirProtocols

/// The files that media is written to. A capture may have more streams at once than files may be open: the one that was
/// written to longest ago is closed, and opened again when more comes.
final class MediaFiles {
    /// Files that are open at once.
    private static let most = 64

    /// The name of each stream's file.
    private(set) var names: [Int: String] = [:]
    /// The first exit code, when one could not be written.
    private(set) var failure: ExitCode?
    /// The streams whose file could not be written.
    private(set) var failed: Set<Int> = []
    /// The open ones, the one that was written to last at the end.
    private var open: [MediaOutput] = []

    /// Makes the file of a stream; nil when it cannot be.
    func make(_ stream: Int, _ name: String, path: String) -> MediaOutput? {
        let made = MediaOutput(path, stream, self)
        guard use(made) != nil else { return nil }
        names[stream] = name
        return made
    }

    /// The output of a file, which is open from now on; nil when it cannot be written.
    fileprivate func use(_ file: MediaOutput) -> FileOutput? {
        if open.last === file { return file.output }
        if let place = open.firstIndex(where: { $0 === file }) {
            open.append(open.remove(at: place))
            return file.output
        }
        if open.count >= Self.most { open.removeFirst().leave() }
        do throws(ExitCode) {
            try file.enter()
        } catch {
            note(error, file.stream)
            return nil
        }
        open.append(file)
        return file.output
    }

    /// Nothing more is written to a file.
    fileprivate func close(_ file: MediaOutput) {
        open.removeAll { $0 === file }
        file.leave()
    }

    fileprivate func note(_ code: ExitCode, _ stream: Int) {
        failure = failure ?? code
        failed.insert(stream)
    }
}

/// A file as the extractor writes it.
final class MediaOutput: MediaFile {
    fileprivate private(set) var output: FileOutput?
    fileprivate let stream: Int
    private let path: String
    private unowned let files: MediaFiles
    private var hasBegun = false
    private var hasFailed = false

    fileprivate init(_ path: String, _ stream: Int, _ files: MediaFiles) {
        self.path = path
        self.stream = stream
        self.files = files
    }

    /// Opens it: the first time as an empty file.
    fileprivate func enter() throws(ExitCode) {
        guard !hasFailed else { return }
        output = try FileOutput(path, continues: hasBegun)
        hasBegun = true
    }

    /// Closes it. Of one that could not be written that is said once.
    fileprivate func leave() {
        do throws(ExitCode) {
            try output?.close()
        } catch {
            hasFailed = true
            files.note(error, stream)
        }
        output = nil
    }

    func write(_ octets: [UInt8]) { files.use(self)?.write(octets) }
    func patch(_ patch: FilePatch) { files.use(self)?.overwrite(patch.octets, at: patch.offset) }
    func close() { files.close(self) }
}
