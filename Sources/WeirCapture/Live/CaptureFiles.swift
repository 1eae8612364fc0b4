import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes captured packets to a file, or to a ring of files.
///
/// A batch is in the file when `write` returns, whatever happens to the process afterwards.
package final class CaptureFiles {
    /// The output path, and when to rotate.
    package struct Plan: Sendable {
        /// The file; with rotation, a number and the time of the first packet are added to its name.
        package var path: String
        /// The format.
        package var format: CaptureFile.Format
        /// The file size that triggers rotation, in octets.
        package var mostOctets: Int?
        /// The duration that triggers rotation, in seconds.
        package var mostSeconds: Double?
        /// The number of files kept; older ones are removed.
        package var kept: Int?
        /// Whether an existing file may be replaced. The new file is created separately, so that processes with the old
        /// one open have no access to it.
        package var replaces = false

        /// Creates a plan for a single file without limits. The extension determines the format: `.pcap` and `.cap` are
        /// the classic one, everything else is pcapng.
        package init(path: String) {
            self.path = path
            let isClassic = [".pcap", ".cap"].contains { path.lowercased().hasSuffix($0) }
            format = isClassic ? .pcap : .pcapng
        }

        /// Whether there are several files, whose names depend on the packets.
        package var rotates: Bool { mostOctets != nil || mostSeconds != nil }
    }

    /// A failure that ends writing. What was written before is complete.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// The file.
        package let file: String
        /// A description of the failure.
        package let reason: String
        /// A one-line description.
        package var description: String { "cannot write \(file): \(reason)" }
    }

    private static let blockOctets = 256 * 1024

    private let plan: Plan
    private let encoder: CaptureEncoder
    private var descriptor: Int32 = -1
    private var name = ""
    /// The octets of the file that form complete packets.
    private var size = 0
    private var began: Timestamp?
    private var sequence = 0
    private var ring: [String] = []
    private var pending: [UInt8] = []
    /// The end of each packet in `pending`.
    private var ends: [Int] = []
    /// The statistics when the current file was started.
    private var countedBefore: [LiveStatistics] = []
    private var counted: [LiveStatistics] = []
    /// Interfaces that have ended, and are not recorded further in this and later files.
    private var ended: Set<Int> = []

    /// Opens the file, unless its name depends on the first packet.
    package init(_ plan: Plan, _ encoder: CaptureEncoder) throws(Failure) {
        self.plan = plan
        self.encoder = encoder
        if !plan.rotates { try open(plan.path) }
    }

    /// Throws if rotated files cannot be created: each is created by the user that runs then.
    package func checkFolder() throws(Failure) {
        guard plan.rotates else { return }
        let end = plan.path.lastIndex(of: "/")
        let folder = end.map { $0 == plan.path.startIndex ? "/" : String(plan.path[..<$0]) } ?? "."
        name = folder
        guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure() }
    }

    /// Writes all frames; `counts` are the statistics of the interfaces so far.
    package func write(_ batch: borrowing FrameBatch, counts: [LiveStatistics]) throws(Failure) {
        counted = counts
        var failure: Failure?
        batch.forEach { frame, drops in
            guard failure == nil else { return }
            do throws(Failure) {
                try add(frame, drops)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try flush()
    }

    /// Records in the file that the capture on one interface has ended, while it continues on others.
    package func end(interface: Int, counts: [LiveStatistics], at end: Timestamp) throws(Failure) {
        counted = counts
        ended.insert(interface)
        guard descriptor >= 0 else { return }
        pending += interfaceEnd(interface, at: end)
        ends.append(pending.count)
        try flush()
    }

    /// Ends the file. `end` is the end time of the capture.
    package func close(counts: [LiveStatistics], end: Timestamp) throws(Failure) {
        counted = counts
        try endFile(at: end)
    }

    private func add(_ frame: borrowing Frame, _ drops: Int) throws(Failure) {
        if plan.rotates, isDue(frame.info) {
            let end = frame.info.time
            if descriptor >= 0 { try endFile(at: end) }
            sequence += 1
            try open(numbered(end))
        }
        began = began ?? frame.info.time
        encoder.append(frame, drops: drops, to: &pending)
        ends.append(pending.count)
        if pending.count >= Self.blockOctets { try flush() }
    }

    /// Whether a frame starts a new file.
    private func isDue(_ info: FrameInfo) -> Bool {
        guard descriptor >= 0 else { return true }
        guard let began else { return false }
        // If the clock is set back, the duration of this file restarts.
        if info.time < began { self.began = info.time }
        if let most = plan.mostSeconds, info.time.seconds(since: began) >= most { return true }
        guard let most = plan.mostOctets else { return false }
        return size &+ pending.count &+ info.capturedLength &+ 64 > most
    }

    /// Returns the name for a rotated file: `camera.pcapng` becomes `camera_00001_20261121T074513Z.pcapng`.
    private func numbered(_ time: Timestamp) -> String {
        let slash = plan.path.lastIndex(of: "/").map { plan.path.index(after: $0) } ?? plan.path.startIndex
        let dot = plan.path[slash...].lastIndex(of: ".") ?? plan.path.endIndex
        var text = String(sequence)
        while text.utf8.count < 5 { text = "0" + text }
        return "\(plan.path[..<dot])_\(text)_\(Self.stamp(time))\(plan.path[dot...])"
    }

    private static func stamp(_ time: Timestamp) -> String {
        var seconds = time_t(time.nanoseconds / 1_000_000_000)
        // Sound: both structures belong to this function, and only numbers are read from them.
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let date = unsafe [parts.tm_mon + 1, parts.tm_mday]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        func digits(_ values: [Int32]) -> String { values.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined() }
        return unsafe "\(parts.tm_year + 1900)" + digits(date) + "T" + digits(clock) + "Z"
    }
}

// MARK: - One file

extension CaptureFiles {
    private func open(_ path: String) throws(Failure) {
        name = path
        descriptor = try opened(path)
        size = 0
        began = nil
        pending = encoder.header
        ends = [pending.count]
        try flush()
        guard let kept = plan.kept else { return }
        ring.append(path)
        while ring.count > kept {
            // The file may have been removed already.
            _ = unsafe unlink(ring.removeFirst())
        }
    }

    /// Creates the file, accessible to this user only. Existing links or files of others are never written to; pipes
    /// and devices are, since they do not store the data.
    private func opened(_ path: String) throws(Failure) -> Int32 {
        var made = sysOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        guard made < 0, errno == EEXIST else {
            if made < 0 { throw failure() }
            return made
        }
        switch kind(of: path) {
        case S_IFREG:
            guard plan.replaces else {
                throw Failure(file: name, reason: "the file exists (--force overwrites it)")
            }
            guard unsafe unlink(path) == 0 else { throw failure() }
            made = sysOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        case S_IFIFO, S_IFCHR:
            made = sysOpen(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
            if made >= 0, kind(of: made) == S_IFREG {
                _ = sysClose(made)
                throw Failure(file: name, reason: "it was replaced by another process")
            }
        case S_IFLNK: throw Failure(file: name, reason: "it is a symbolic link, which is not followed")
        case S_IFDIR: throw Failure(file: name, reason: "it is a directory")
        default: throw Failure(file: name, reason: "it is not a regular file")
        }
        if made < 0 { throw failure() }
        return made
    }

    /// Returns the type of the file at a path, without following a link; 0 if there is none.
    private func kind(of path: String) -> mode_t {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    private func kind(of descriptor: Int32) -> mode_t {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    }

    private func endFile(at end: Timestamp) throws(Failure) {
        guard descriptor >= 0 else { return }
        try flush()
        for index in counted.indices where !ended.contains(index) { pending += interfaceEnd(index, at: end) }
        ends = [pending.count]
        countedBefore = counted
        defer {
            _ = sysClose(descriptor)
            descriptor = -1
        }
        try flush()
    }

    /// Returns the statistics of an interface for this file.
    private func interfaceEnd(_ index: Int, at end: Timestamp) -> [UInt8] {
        guard counted.indices.contains(index) else { return [] }
        let before = countedBefore.indices.contains(index) ? countedBefore[index] : LiveStatistics()
        return encoder.end(of: index, counted[index] - before, at: end)
    }

    /// Writes the pending octets. If writing fails, truncates the file after the last complete packet.
    private func flush() throws(Failure) {
        var done = 0
        while done < pending.count {
            // Sound: the pointer is used inside the closure only, and `done` is below the count.
            let count = unsafe pending.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                return unsafe sysWrite(descriptor, rest)
            }
            if count < 0 {
                if errno == EINTR { continue }
                let failure = failure()
                let complete = ends.last { $0 <= done } ?? 0
                _ = ftruncate(descriptor, off_t(size &+ complete))
                _ = sysClose(descriptor)
                descriptor = -1
                pending.removeAll()
                throw failure
            }
            done &+= count
        }
        size &+= done
        pending.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Returns a failure with the operating system's message for `errno`.
    private func failure() -> Failure {
        // Sound: the text is valid until the next call in this thread, and is copied at once.
        Failure(file: name, reason: unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)")
    }

    /// Opens a file; a new file is accessible to its owner only.
    private func sysOpen(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Darwin)
            unsafe Darwin.open(path, flags, 0o600)
        #elseif canImport(Musl)
            unsafe Musl.open(path, flags, 0o600)
        #else
            unsafe Glibc.open(path, flags, 0o600)
        #endif
    }

    private func sysWrite(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(descriptor, octets.baseAddress, octets.count)
        #elseif canImport(Musl)
            unsafe Musl.write(descriptor, octets.baseAddress, octets.count)
        #else
            unsafe Glibc.write(descriptor, octets.baseAddress, octets.count)
        #endif
    }

    private func sysClose(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Glibc.close(descriptor)
        #endif
    }
}
