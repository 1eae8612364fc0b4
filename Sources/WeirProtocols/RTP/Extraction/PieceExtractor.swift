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
    }

    private let open: (Int, String) -> (any MediaFile)?
    private let isWanted: (Int) -> Bool
    private var files: [Int: File] = [:]
    /// File indices of streams that have not ended.
    private var places: [Int: Int] = [:]
    private var results: [Int: ExtractedStream] = [:]

    init(isWanted: @escaping (Int) -> Bool, open: @escaping (Int, String) -> (any MediaFile)?) {
        self.isWanted = isWanted
        self.open = open
    }

    func take(_ piece: MediaPiece) {
        let file = files[piece.file] ?? File()
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
        if piece.lacksConfiguration { file.lacking.insert(piece.stream) }
        if piece.isConfiguration, file.lacking.remove(piece.stream) != nil, file.number == nil {
            return advance(piece, file)
        }
        // A stream without a complete frame gets no file, and one without a configuration waits for it.
        if file.number == nil, piece.isFrame, isWanted(piece.stream), file.lacking.isEmpty { begin(file, piece) }
        if file.number == nil { wait(piece, file) } else { write(piece, file) }
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

    /// Ends a stream and returns its result, if it was selected.
    func end(_ stream: Int, lacksOctets: Bool) -> ExtractedStream? {
        if let place = places[stream], let file = files[place] { beginWaiting(file) }
        guard let place = places.removeValue(forKey: stream), let file = files[place],
            var result = results.removeValue(forKey: stream)
        else { return isWanted(stream) ? ExtractedStream(stream: stream) : nil }
        file.open.remove(stream)
        if file.open.isEmpty {
            files[place] = nil
            if file.header != file.written { file.output?.patch(FilePatch(offset: 0, octets: file.header)) }
        }
        guard isWanted(stream) else { return nil }
        result.file = file.number
        result.lacksOctets = lacksOctets
        result.lacksConfiguration = file.lacking.contains(stream)
        return result
    }
}
