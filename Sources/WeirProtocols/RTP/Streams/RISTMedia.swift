import WeirEngine
import WeirPackets

// The media of a RIST session. Nothing describes it: payload types and parameters are unknown.

extension RISTSession: MediaOwner {
    package var ownsFlows: Bool { true }
    package func medium(ofChannel channel: Int) -> Int? { nil }
    package func isRTP(_ medium: Int) -> Bool { true }
    package func isExpected(_ medium: Int, from source: Endpoint, to destination: Endpoint) -> Bool { true }
    package func isEncrypted(_ medium: Int) -> Bool { false }
    package func formats(of medium: Int, isDecrypted: Bool) -> [(type: UInt8, format: MediaFormat)] { [] }
    package func agreementFrame(of medium: Int) -> Int { 0 }
    package func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int) {}
    /// Ignores silence: encoders may pause without any signaling.
    package func noteSilence(_ seconds: Double, since time: Timestamp, frame: Int) -> Bool { true }
    package func mediaBegan(_ medium: Int?, time: Timestamp) -> UInt16? { nil }
    package func mediaEnded(_ medium: Int?, _ stream: MediaStream, isInterleaved: Bool) { figures.add(stream) }

    package var firstMediaTime: Timestamp? { figures.span?.start }
}
