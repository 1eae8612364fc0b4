import Testing
import WeirEngine

@testable import WeirProtocols

/// Secrets in HTTP requests and responses that must be masked.
@Suite("Secrets of HTTP") struct HTTPSecretTests {
    @Test(
        "session and handle numbers of Janus",
        arguments: [
            ("/janus/8041272853294532", "/janus/***"),
            ("/janus/8041272853294532/6151908021374520", "/janus/***/***"),
            ("/api/janus/8041272853294532?maxev=5", "/api/janus/***?maxev=5"),
            ("http://h:8088/Janus/8041272853294532", "http://h:8088/Janus/***"),
            ("/admin/8041272853294532/6151908021374520", "/admin/***/***"),
            ("/janus", "/janus"), ("/janus/info", "/janus/info"), ("/janus/ping", "/janus/ping"),
            ("/live/20231122101500/segment", "/live/20231122101500/segment"), ("/admin/2/users", "/admin/2/users"),
        ])
    func janus(_ target: String, _ shown: String) {
        #expect(SecretPolicy.masked.apply(target: target) == shown)
        #expect(SecretPolicy.revealed.apply(target: target) == target)
    }

    @Test(
        "stream names in WHIP and WHEP endpoints, anywhere in the URL",
        arguments: [
            ("/live/camera/whip", "/live/***/whip"), ("/camera/whep", "/***/whep"), ("/whip/camera", "/whip/***"),
            ("/camera/whip/5b2c", "/***/whip/***"), ("/whip/endpoint/camera", "/whip/endpoint/***"),
            ("/rtc/v1/whip/?app=live&stream=camera", "/rtc/v1/whip/?app=live&stream=***"),
            ("/rtc/v1/publish/?stream=camera&app=live", "/rtc/v1/publish/?stream=***&app=live"),
            ("/index/api/whip?app=live&stream=camera", "/index/api/whip?app=live&stream=***"),
            ("/app/camera?direction=whip", "/app/***?direction=whip"), ("http://host/whip", "http://host/whip"),
            ("http://host/camera/WHIP", "http://host/***/WHIP"), ("/whip", "/whip"), ("/v1/whip", "/v1/whip"),
            ("/live/camera/index.m3u8?stream=2", "/live/camera/index.m3u8?stream=2"),
        ])
    func streams(_ target: String, _ shown: String) {
        #expect(SecretPolicy.masked.apply(target: target) == shown)
        #expect(SecretPolicy.revealed.apply(target: target) == target)
    }

    @Test(
        "a token offered as a subprotocol",
        arguments: [
            ("k7Hd93", ["k7Hd93"], "***"), ("secret", ["access_token", "secret"], "***"), ("482913", [], "***"),
            ("chat", ["chat", "bearer", "secret"], "chat"), ("mqttv3.1", ["mqttv3.1"], "mqttv3.1"),
            ("v12.stomp", ["v12.stomp"], "v12.stomp"), ("rtsp.onvif.org", [], "rtsp.onvif.org"),
            ("janus-protocol", ["janus-protocol"], "janus-protocol"), ("ocpp2.0.1", ["ocpp2.0.1"], "ocpp2.0.1"),
            ("graphql-transport-ws", [], "graphql-transport-ws"), ("wamp.2.json", ["wamp.2.json"], "wamp.2.json"),
        ])
    func subprotocol(_ chosen: String, _ offered: [String], _ shown: String) {
        #expect(SubprotocolSecrets.shown(chosen, among: offered) == shown)
    }
}
