import Testing
import WeirEngine
import WeirProtocols

@Suite("Secret parameters") struct SecretParameterTests {
    @Test(
        "only credentials are masked",
        arguments: [
            ("rtsp://h/live?token=abc", "rtsp://h/live?token=***"),
            ("rtsp://h/live?token=abc&user=bob&password=hunter2", "rtsp://h/live?token=***&user=bob&password=***"),
            ("rtsp://h/live?token=abc/trackID=1", "rtsp://h/live?token=***/trackID=1"),
            ("rtsp://h/live?token=YS9i/Yz0=", "rtsp://h/live?token=***"),
            ("rtsp://h/live?token=abc/", "rtsp://h/live?token=***/"),
            (
                "/user=admin&password=hunter2&channel=1&stream=0.sdp?real",
                "/user=admin&password=***&channel=1&stream=0.sdp?real"
            ),
            ("/user=admin_password=tlJwpbo6_channel=1_stream=0.sdp?real", "/user=admin_password=***?real"),
            ("/password=a/track1", "/password=***/track1"),
            (
                "url=rtsp://h/a?key=s;seq=1;rtptime=2,url=rtsp://h/b?key=s;seq=3",
                "url=rtsp://h/a?key=***;seq=1;rtptime=2,url=rtsp://h/b?key=***;seq=3"
            ),
            ("/cam/realmonitor?channel=1&subtype=0&unicast=true", "/cam/realmonitor?channel=1&subtype=0&unicast=true"),
            ("a?X-Amz-Signature=00ff&X-Amz-Date=1", "a?X-Amz-Signature=***&X-Amz-Date=1"),
            ("keyframes=2&monkey=3", "keyframes=2&monkey=3"),
            ("token=&a=1", "token=&a=1"), ("token=", "token="), ("=x", "=x"), ("", ""),
            ("rtsp://u:p@h/?sig=1", "rtsp://u:***@h/?sig=***"),
            ("u:p@h/a", "u:***@h/a"), ("rtsp:u:p@h/a", "rtsp:***@h/a"), ("rtsp:\\\\u:p@h/a", "rtsp:***@h/a"),
            ("h:554/a@b", "h:554/a@b"), ("mailto:a@b", "mailto:a@b"), ("sip:a@b", "sip:a@b"),
            ("inline: abcdef|2^20", "inline: ***"),
            ("rtsp://h/live?sk4f9a77c1", "rtsp://h/live?***"), ("/whip?kQZbXyWvUtSrQpOnMlKjIh", "/whip?***"),
            ("rtsp://h/live?c2VjcmV0MTIz==/trackID=1", "rtsp://h/live?***/trackID=1"),
            ("rtsp://h/a?tcp", "rtsp://h/a?tcp"), ("/a?videocodec=h264", "/a?videocodec=h264"),
            ("/h?multicast", "/h?multicast"),
            ("rtsp:/admin:PW1@h/live", "rtsp:/admin:***@h/live"), ("rtsp:///admin:PW1@h/l", "rtsp:///admin:***@h/l"),
            ("rtsp//admin:PW1@h/live", "rtsp//admin:***@h/live"), ("/admin:PW1@h/live", "/admin:***@h/live"),
            // The rest is not captured.
            ("rtsp://admin:Hunter2So", "rtsp://admin:***"), ("rtsp://admin:1234567", "rtsp://admin:***"),
            ("rtsp://h:8554", "rtsp://h:8554"), ("rtsp://h:", "rtsp://h:"),
            ("rtsp://[fe80::a]/l", "rtsp://[fe80::a]/l"),
            ("rtsp://fe80::a/l", "rtsp://fe80::a/l"),
            ("/l?password=a#b&x=1", "/l?password=***&x=1"), ("/l?user=admin&pswd=PW1", "/l?user=admin&pswd=***"),
            ("live...vhost...h.example...token...K1", "live...vhost...h.example...token...***"),
            ("/whip?RxXFdmpzxvQC2G", "/whip?***"), ("/live?Profile1", "/live?Profile1"),
            ("/h?20261123", "/h?20261123"), ("/h?channel10=1", "/h?channel10=1"),
        ])
    func masked(uri: String, shown: String) {
        #expect(SecretPolicy.masked.apply(uri: uri) == shown)
        #expect(SecretPolicy.revealed.apply(uri: uri) == uri)
    }

    @Test(
        "a query that is a key is masked in any text; a question mark in prose is not",
        arguments: [
            ("DESCRIBE rtsp://h/a?sk4f9a77c1 failed", "DESCRIBE rtsp://h/a?*** failed"),
            ("POST /whip?sk4f9a77c1", "POST /whip?***"), ("what is 4?sk4f9a77c1", "what is 4?sk4f9a77c1"),
            ("401 bad token 5tBxhd22Ekby", "401 bad token ***"), ("token expired in 2026", "token expired in 2026"),
            (#"a["{\"user\": \"b\", \"credential\": \"a9K\"}"]"#, #"a["{\"user\": \"b\", \"credential\": \"***\"}"]"#),
            (#"{\\\"password\\\": \\\"a9K\\\"}"#, #"{\\\"password\\\": \\\"***\\\"}"#),
            ("<wsse:Password Type='x'>a9K</wsse:Password>", "<wsse:Password Type='x'>***</wsse:Password>"),
            ("o=<username> <sess-id> <sess-version>", "o=<username> <sess-id> <sess-version>"),
        ]) func texts(text: String, shown: String)
    { #expect(SecretPolicy.masked.apply(text: text) == shown) }

    @Test(
        "words of a reason phrase that look like keys are masked",
        arguments: [
            ("denied for 5tBxhdCEkbyY79", "denied for ***"),
            ("no such user at 192.168.100.10", "no such user at 192.168.100.10"),
            ("Internal Server Error", "Internal Server Error"),
        ]) func reasons(text: String, shown: String)
    { #expect(SecretPolicy.masked.apply(reason: text) == shown) }

    @Test(arguments: [
        "srtp_crypto", "userSig", "ticket", "roomKey", "keyBase64", "X-Auth-Token", "api_key", "X-API-Key", "PASSWD",
        "key", "accessKey", "stream-key",
        "wsSecret", "loginpas",
        "X-Session-Key", "srtpKey", "X-Encryption-Key", "Ocp-Apim-Subscription-Key",
    ])
    func secretNames(name: String) { #expect(SecretNames.isSecret(name)) }

    @Test(arguments: [
        "Public", "User-Agent", "x-sessioncookie", "publicKey", "Sec-WebSocket-Key", "monkey", "keyframeInterval",
        "keyframe", "signal", "CSeq", "author", "Session", "nonce",
    ])
    func plainNames(name: String) { #expect(!SecretNames.isSecret(name)) }
}
