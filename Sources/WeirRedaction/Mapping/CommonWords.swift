/// Words that are kept wherever they stand, since they name no one: those of the protocols, and general names of streams.
package enum CommonWords {
    /// Whether a word, in lower case, is kept. Numbers and single letters are, too.
    package static func contains(_ word: [UInt8]) -> Bool {
        word.count < 2 || known.contains(word)
    }

    private static let known = Set(texts.flatMap { $0.split(separator: " ") }.map { Array($0.utf8) })

    private static let texts: [Substring] = [
        // Schemes, transports, hosts that name no one.
        "rtsp rtspu rtsps rtmp rtmps rtmpt rtmpe rtmpte http https ws wss srt udp tcp tls stun stuns turn turns rtp rtcp avp savp",
        "savpf avpf localhost local invalid example com net org www io ip4 ip6 in candidate typ host srflx prflx relay raddr rport",
        "tcptype active passive so generation ufrag network cost id component foundation",
        // Methods, types and values.
        "options describe announce setup play pause teardown record redirect get set parameter post put patch delete head connect",
        "live append stream streams video audio application data text message media track tracks trackid streamid channel channels",
        "session control interleaved unicast multicast client server port mode npt range clock url seq rtptime sdp offer answer",
        "pranswer rollback publish publisher publishing subscribe subscriber push pull view watch start stop join leave room",
        "login logout bye hello ping pong heartbeat keepalive ack error success event request response result status code",
        "level warning info true false null none yes no ok default main sub high low index app application vod broadcast",
        "cam camera cameras webcam ipcam onvif axis h264 h265 hevc av1 vp8 vp9 aac opus pcmu pcma g711 mjpeg jpeg mpeg4 mp4 flv mp2t ts",
        "m3u8 mp4a avc1 hvc1 rtx ulpfec flexfec red generic netstream netconnection description details clientid objectencoding",
        "bandwidth token key keys user username password pass passwd auth secret signature sign expires timestamp nonce realm digest",
        "basic bearer uri algorithm md5 sha sha1 sha256 response opaque qop cnonce nc stale api v1 v2 v3 whip whep ws rtc webrtc janus janus0 janus1 janusv0 janusa0",
        "plugin plugins echotest videoroom streaming create attach detach destroy trickle configured transaction sender handle body",
        "jsep type name action method cmd command from to source destination target params payload candidates icecandidate sdpmid",
        "sdpmlineindex usernamefragment completed sendrecv sendonly recvonly inactive actpass holdconn all cname msid mslabel label",
        "urn ietf webrtc datachannel nonstandard the and for with not found",
        "unauthorized forbidden invalid unsupported denied rejected accepted created connected disconnected closed",
        "websocket socket engine eio transport polling upgrade upgrades sid open idle send close fcs ident2 signaling signal",
        // Reasons of statuses (RFC 2326 §7.1.1, RFC 9110 §15).
        "switching protocols created accepted nonauthoritative non authoritative no reset partial multiple choices modified use proxy",
        "payment needed upgrade expectation failed misdirected unprocessable locked dependency early many requests legal reasons",
        "implemented bad variant negotiates insufficient storage loop detected low on probe 2probe 3probe data are aggregate only destination",
        // Parameters of URIs, cookies and links.
        "sig wssecret wstime txsecret txtime jsessionid phpsessid rel credential domain path secure httponly samesite lax strict",
        "age hash exp iat vhost tcurl base64 prompt clear position scale rate packets received jitter lost hidden moved found temporarily",
        "permanently stale unavailable conflict bad method allowed acceptable mismatch allocation quota reached insufficient capacity",
        "aggregate operation gone length precondition request entity too large long enough valid header field resource range internal",
        "gateway service version option proxy authentication timeout continue processing multiple choices see modified payment this",
        "session streamed with rtp over udp wrong unknown expired missing invalid required",
        // Attributes of descriptions, and members of messages.
        "ice pwd lite trickle options fingerprint rtpmap fmtp rtcp mux fb ext extmap mid bundle rid simulcast group ssrc maxptime",
        "ptime framerate framesize rtcp-mux crypto inline mgmt mikey semantic sctp sctpmap max size address netsrc xml json text plain",
        "onmetadata setdataframe ontextdata onfi oncuepoint metadata duration width height encoder error_code error_reason mountpoint",
        "integrity software lifetime mapped xor relayed peer channel_number requested even reservation alternate unknown attributes",
        "headlesschrome python aiohttp websockets shockwave flash linux windows macintosh x11 x86_64 khtml like mobile android iphone",
        "gstreamer ffmpeg lavf libav obs vlc nginx srs mediamtx live555 chromium chrome firefox safari mozilla applewebkit gecko",
    ]
}
