import WeirPackets

/// Writes media received in file format unchanged: one file for one or several streams.
final class PieceExtractor {
    /// Maximum octets buffered until a file is selected.
    private static let mostWaiting = 8 * 1_024 * 1_024

    /// An output file and its streams.
    private final class File {
        var output: (any MediaFile)?
        /// The stream that numbers the file.
        var number: Int?
        var header: [UInt8] = []
        var written: [UInt8] = []
        var waiting: [MediaPiece] = []
        var waitingOctets = 0
        /// Streams that have not ended.
        var open: Set<Int> = []
        /// Streams with frames, and without a decoder configuration so far.
        var lacking: Set<Int> = []
        /// Streams whose decoder configuration is from another stream of their medium.
        var supplied: Set<Int> = []
        /// Streams that ended while the file waits for a decoder configuration.
        var ended: [(stream: Int, lacksOctets: Bool)] = []
        let place: Int

        init(_ place: Int) { self.place = place }
    }

    /// The maximum number of decoder configurations kept, and of ended files that wait for one.
    private static let mostConfigurations = 32
    private static let mostDeferred = 8

    private let open: (Int, String) -> (any MediaFile)?
    private let isWanted: (Int) -> Bool
    private var files: [Int: File] = [:]
    /// File indices of streams that have not ended.
    private var places: [Int: Int] = [:]
    private var results: [Int: ExtractedStream] = [:]
    /// The latest decoder configurations of media that other connections may carry, too.
    private var configurations: [MediaPiece] = []
    /// The results of selected streams, in the order in which they are known.
    private(set) var finished: [ExtractedStream] = []

    init(isWanted: @escaping (Int) -> Bool, open: @escaping (Int, String) -> (any MediaFile)?) {
        self.isWanted = isWanted
        self.open = open
    }

    /// Returns the results known since the last call.
    func takeFinished() -> [ExtractedStream] {
        defer { finished = [] }
        return finished
    }

    func take(_ piece: MediaPiece) {
        let file = files[piece.file] ?? File(piece.file)
        files[piece.file] = file
        places[piece.stream] = piece.file
        file.open.insert(piece.stream)
        file.header = piece.fileHeader
        var result = results[piece.stream] ?? ExtractedStream(stream: piece.stream)
        result.packets += 1
        if !piece.encoding.isEmpty { result.encoding = piece.encoding }
        if piece.isFrame { result.framesIn += 1 }
        results[piece.stream] = result
        guard piece.isWhole else { return }
        if piece.isConfiguration { keep(piece, file) }
        if piece.lacksConfiguration, !file.supplied.contains(piece.stream) { supply(before: piece, file) }
        if piece.isConfiguration, file.lacking.remove(piece.stream) != nil, file.number == nil {
            return advance(piece, file)
        }
        // A stream without a complete frame gets no file, and one without a configuration waits for it.
        if file.number == nil, piece.isFrame, isWanted(piece.stream), file.lacking.isEmpty { begin(file, piece) }
        if file.number == nil { wait(piece, file) } else { write(piece, file) }
    }

    /// Keeps a decoder configuration for other streams of its medium, and completes files that wait for it.
    private func keep(_ piece: MediaPiece, _ own: File) {
        guard let medium = piece.medium else { return }
        configurations.removeAll { $0.stream == piece.stream }
        if configurations.count >= Self.mostConfigurations { configurations.removeFirst() }
        configurations.append(piece)
        for file in files.values.sorted(by: { $0.place < $1.place })
        where file !== own && file.number == nil && !file.ended.isEmpty {
            for stream in file.lacking.sorted() {
                guard let first = file.waiting.first(where: { $0.stream == stream && $0.lacksConfiguration }),
                    first.medium?.isSame(as: medium) == true
                else { continue }
                let copy = copy(piece, for: first, file)
                file.lacking.remove(stream)
                advance(copy, file)
            }
            if file.number != nil { settle(file) }
        }
    }

    /// Writes the decoder configuration of another stream of the same medium before a frame that has none.
    private func supply(before piece: MediaPiece, _ file: File) {
        guard let medium = piece.medium,
            let known = configurations.last(where: { $0.medium?.isSame(as: medium) == true })
        else {
            file.lacking.insert(piece.stream)
            return
        }
        let copy = copy(known, for: piece, file)
        if file.number == nil { wait(copy, file) } else { write(copy, file) }
    }

    /// Returns a decoder configuration of another stream as part of a stream, with the time of its frame.
    private func copy(_ piece: MediaPiece, for frame: MediaPiece, _ file: File) -> MediaPiece {
        var copy = piece
        copy.stream = frame.stream
        copy.file = frame.file
        copy.take(timeOf: frame)
        file.supplied.insert(frame.stream)
        results[frame.stream]?.configurationOf = piece.stream
        return copy
    }

    /// Moves a decoder configuration before the frames that need it, with the time of the first.
    private func advance(_ piece: MediaPiece, _ file: File) {
        let first = file.waiting.firstIndex(where: \.isFrame) ?? file.waiting.endIndex
        var piece = piece
        if first < file.waiting.endIndex {
            piece.take(timeOf: file.waiting[first])
        }
        file.waiting.insert(piece, at: first)
        file.waitingOctets += piece.octets.count
        if file.lacking.isEmpty { beginWaiting(file) }
    }

    /// Starts a file with the pieces that wait, if a selected stream has a frame among them.
    private func beginWaiting(_ file: File) {
        guard file.number == nil, let first = file.waiting.first(where: { $0.isFrame && isWanted($0.stream) })
        else { return }
        begin(file, first)
    }

    private func begin(_ file: File, _ piece: MediaPiece) {
        file.number = piece.stream
        file.output = open(piece.stream, piece.ending)
        file.written = piece.fileHeader
        if !file.written.isEmpty { file.output?.write(file.written) }
        for waiting in file.waiting { write(waiting, file) }
        (file.waiting, file.waitingOctets) = ([], 0)
    }

    /// Buffers a piece until a stream of the file is selected; the buffer of a file that never is stays bounded.
    private func wait(_ piece: MediaPiece, _ file: File) {
        if file.waitingOctets + piece.octets.count > Self.mostWaiting, !file.lacking.isEmpty {
            beginWaiting(file)
            if file.number != nil { return write(piece, file) }
        }
        if file.waitingOctets + piece.octets.count > Self.mostWaiting {
            file.waiting.removeAll(where: \.isFrame)
            file.waitingOctets = file.waiting.reduce(0) { $0 + $1.octets.count }
        }
        guard file.waitingOctets + piece.octets.count <= Self.mostWaiting else { return }
        file.waiting.append(piece)
        file.waitingOctets += piece.octets.count
    }

    private func write(_ piece: MediaPiece, _ file: File) {
        file.output?.write(piece.octets)
        if piece.isFrame { results[piece.stream]?.framesOut += 1 }
    }

    /// Ends a stream. A file without a decoder configuration waits for that of another stream of its medium.
    func end(_ stream: Int, lacksOctets: Bool) {
        guard let place = places.removeValue(forKey: stream), let file = files[place], results[stream] != nil else {
            if isWanted(stream) { finished.append(ExtractedStream(stream: stream)) }
            return
        }
        file.open.remove(stream)
        file.ended.append((stream, lacksOctets))
        let mayWait = file.number == nil && file.waiting.contains { $0.lacksConfiguration && $0.medium != nil }
        if mayWait, files.values.count(where: { !$0.ended.isEmpty }) <= Self.mostDeferred { return }
        beginWaiting(file)
        settle(file)
    }

    /// Completes the files that still wait for a decoder configuration.
    func finish() {
        for file in files.values.sorted(by: { $0.place < $1.place }) where !file.ended.isEmpty {
            beginWaiting(file)
            settle(file)
        }
    }

    /// Reports the ended streams of a file, and completes it after the last.
    private func settle(_ file: File) {
        for (stream, lacksOctets) in file.ended {
            guard var result = results.removeValue(forKey: stream), isWanted(stream) else { continue }
            result.file = file.number
            result.lacksOctets = lacksOctets
            result.lacksConfiguration = file.lacking.contains(stream)
            finished.append(result)
        }
        file.ended = []
        guard file.open.isEmpty else { return }
        files[file.place] = nil
        if file.header != file.written { file.output?.patch(FilePatch(offset: 0, octets: file.header)) }
    }
}
