import ArgumentParser
import WeirProtocols

/// The media files. A capture may have more concurrent streams than open files are allowed: the least recently written
/// file is closed, and reopened when needed.
final class MediaFiles {
    /// The maximum number of open files.
    private static let most = 64

    /// The file name of each stream.
    private(set) var names: [Int: String] = [:]
    /// The first exit code of a write failure.
    private(set) var failure: ExitCode?
    /// The streams whose file could not be written.
    private(set) var failed: Set<Int> = []
    /// The open files, the most recently written last.
    private var open: [MediaOutput] = []

    /// Creates the file of a stream. Returns nil on failure.
    func make(_ stream: Int, _ name: String, path: String) -> MediaOutput? {
        let made = MediaOutput(path, stream, self)
        guard use(made) != nil else { return nil }
        names[stream] = name
        return made
    }

    /// Returns the output of a file, opening it if necessary, or nil if it cannot be written.
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

    /// Closes a file permanently.
    fileprivate func close(_ file: MediaOutput) {
        open.removeAll { $0 === file }
        file.leave()
    }

    fileprivate func note(_ code: ExitCode, _ stream: Int) {
        failure = failure ?? code
        failed.insert(stream)
    }
}

/// A media file written by the extractor.
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

    /// Opens the file; the first time it is created or truncated.
    fileprivate func enter() throws(ExitCode) {
        guard !hasFailed else { return }
        output = try FileOutput(path, continues: hasBegun)
        hasBegun = true
    }

    /// Closes the file. A write failure is reported once.
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
