/// The built-in profiles, as YAML.
enum BuiltInProfiles {
    static let all: [(name: String, text: String)] = [
        ("default", standard), ("strict", strict), ("onvif-streaming", onvif), ("rtmp-ingest", rtmp),
        ("webrtc", webrtc), ("low-latency", lowLatency),
    ]

    private static let standard = """
        # All rules, each with its own severity. What breaks a requirement of a specification fails the check.
        # Put a copy beside your captures as weir.yml, or name it with --profile.
        fail-on: error

        # Rules on and off, or with another severity; * stands for any characters.
        # rules:
        #   RTSP-CSEQ-STEP: off
        #   RTMP-PEERBW: error
        #   SDP-*: warning

        # Limits of rules; these are the values without a profile.
        # thresholds:
        #   RTP-SEQ-LOSS.warning: 0.1 %
        #   RTP-SEQ-LOSS.error: 2 %
        #   RTP-JITTER.audio: 30 ms
        #   RTP-JITTER.video: 50 ms
        #   RTP-NOT-ARRIVED.longest: 5 s
        #   RTSP-UNANSWERED.longest: 10 s
        #   RTMP-RESULT.longest: 10 s
        #   RTMP-HS-STALL.longest: 5 s

        # What you want of your own media and sessions.
        # require:
        #   video: {codec: H264, profile: High, level: 4.1, size: 1920x1080, frame-rate: 25 ± 1, keyframe-interval: <= 2 s}
        #   audio: {codec: AAC, sample-rate: 48 kHz, channels: stereo}
        #   media: {stall: <= 500 ms, loss: <= 0.1 %}
        #   session: {setup: <= 300 ms, first-picture: <= 1 s}

        # Findings that you accept for now. A waiver whose day is over fails the check.
        # waivers:
        #   - rule: RTSP-CSEQ-PRESENT
        #     file: old-camera*.pcap
        #     reason: firmware 2.1 answers TEARDOWN without CSeq; mended in 2.2
        #     expires: 2027-06-30

        """

    private static let strict = """
        # Recommendations count as much as warnings, known habits of peers excuse nothing, and warnings fail the check.
        strict: true
        fail-on: warning

        """

    private static let onvif = """
        # A camera that streams by RTSP to recorders and clients of ONVIF.
        fail-on: error

        rules:
          # What recorders need to find, to set up and to keep a stream.
          RTSP-PUBLIC: error
          RTSP-TRANSPORT-PEER: error
          RTSP-KEEPALIVE: error
          RTSP-CONTROL-URI: error
          SDP-CONTROL: error
          # Recordings are set in step by sender reports.
          RTCP-SR-ABSENT: error

        require:
          video:
            codec: [H264, H265, JPEG]
          media:
            loss: <= 0.1 %
          session:
            setup: <= 2 s
            first-media: <= 5 s

        """

    private static let rtmp = """
        # An encoder that publishes by RTMP to a server.
        fail-on: error

        rules:
          # Servers throttle or close a connection whose windows are not answered.
          RTMP-PEERBW: warning
          RTMP-ACK: error
          # Command messages that servers overlook.
          RTMP-CMD-TYPE: error
          FLV-SEQHDR: error

        require:
          video:
            codec: [H264, H265, AV1]
            keyframe-interval: <= 4 s
          media:
            stall: <= 2 s
          session:
            setup: <= 2 s

        """

    private static let webrtc = """
        # Media by RTP with the delays and the repair that people who talk to each other need.
        fail-on: error

        thresholds:
          RTP-SEQ-LOSS.warning: 1 %
          RTP-SEQ-LOSS.error: 5 %
          RTP-JITTER.audio: 30 ms
          RTP-JITTER.video: 50 ms

        rules:
          SDP-BUNDLE: error
          SDP-FINGERPRINT: error
          SDP-ICE-CRED: error
          SDP-RTCPMUX: error

        """

    private static let lowLatency = """
        # Pictures soon after they were asked for, and no pauses.
        fail-on: error

        thresholds:
          RTP-JITTER.audio: 10 ms
          RTP-JITTER.video: 20 ms
          RTP-NOT-ARRIVED.longest: 1 s

        require:
          video:
            keyframe-interval: <= 2 s
          media:
            stall: <= 300 ms
          session:
            setup: <= 300 ms
            first-picture: <= 1 s

        """
}
