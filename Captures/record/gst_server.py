"""An RTSP server for the recordings: one mount point, /live, configured by options."""

import argparse
import ctypes
import signal

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

VIDEO = (
    "videotestsrc is-live=true num-buffers={frames} pattern={pattern} ! video/x-raw,width=160,height=120,framerate=10/1"
    " ! x264enc bitrate={bitrate} speed-preset=veryfast tune=zerolatency key-int-max=20 ! video/x-h264,profile=main"
    " ! rtph264pay name=pay0 pt=96 mtu={mtu} config-interval={config}"
)
AUDIO = {
    "none": "",
    "pcmu": "audiotestsrc is-live=true wave=ticks samplesperbuffer=160 ! audio/x-raw,rate=8000,channels=1 ! mulawenc"
    " ! rtppcmupay name=pay1 pt=0 min-ptime=40000000 max-ptime=40000000",
    "aac": "audiotestsrc is-live=true wave=ticks ! audio/x-raw,rate=16000,channels=1 ! avenc_aac bitrate=16000"
    " ! aacparse ! rtpmp4gpay name=pay1 pt=97",
}
FILM = (
    "filesrc location={film} ! qtdemux name=demux demux.video_0 ! queue ! h264parse ! rtph264pay name=pay0 pt=96"
    " demux.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 pt=97"
)
RECORD = (
    "rtph264depay name=depay0 ! h264parse ! fakesink sync=false async=false"
    " rtpmp4gdepay name=depay1 ! aacparse ! fakesink sync=false async=false"
)


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=554)
    parser.add_argument("--address", default="0.0.0.0")
    parser.add_argument("--audio", choices=AUDIO, default="pcmu")
    parser.add_argument("--frames", type=int, default=-1, help="video frames before the end; -1 = no end")
    parser.add_argument("--mtu", type=int, default=1400)
    parser.add_argument("--pattern", default="ball", help="pattern of videotestsrc")
    parser.add_argument("--bitrate", type=int, default=40, help="kbit/s")
    parser.add_argument("--config-interval", type=int, default=0)
    parser.add_argument("--launch", help="pipeline to serve or record with; its elements are pay0, pay1, or depay0, depay1")
    parser.add_argument("--film", help="serve this MP4 file, which is seekable")
    parser.add_argument("--record", action="store_true", help="accept ANNOUNCE and RECORD")
    parser.add_argument("--auth", choices=["basic", "digest", "both"])
    parser.add_argument("--multicast", action="store_true")
    parser.add_argument("--session-timeout", type=int, default=60)
    parser.add_argument("--profile", choices=["avp", "avpf", "savp", "savpf"], help="RTP profile; SAVP encrypts")
    parser.add_argument("--tls", metavar="FOLDER", help="use TLS (RTSPS), with cert.pem and key.pem in this folder")
    parser.add_argument("--sent", metavar="FILE", help="write the RTP packets before encryption, in hexadecimal digits")
    parser.add_argument("--retransmit", action="store_true", help="retransmit on request (RFC 4588)")
    return parser.parse_args()


def viewer(factory):
    """A role with permission to play the factory's media."""
    token = GstRtspServer.RTSPToken.new()
    token.set_string("media.factory.role", "viewer")
    permissions = GstRtspServer.RTSPPermissions.new()
    permissions.add_permission_for_role("viewer", "media.factory.access", True)
    permissions.add_permission_for_role("viewer", "media.factory.construct", True)
    factory.set_permissions(permissions)
    return token


def require_login(server, factory, methods):
    auth = GstRtspServer.RTSPAuth.new()
    token = viewer(factory)
    chosen = 0
    if methods in ("basic", "both"):
        chosen |= int(GstRtsp.RTSPAuthMethod.BASIC)
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic("test", "test-secret"), token)
    if methods in ("digest", "both"):
        chosen |= int(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest("test", "test-secret", token)
    # The binding accepts a single flag only, so this call bypasses it.
    library = ctypes.CDLL("libgstrtspserver-1.0.so.0")
    library.gst_rtsp_auth_set_supported_methods(ctypes.c_void_p(hash(auth)), ctypes.c_uint(chosen))
    server.set_auth(auth)


def keep_packets(media, path):
    """Writes the packets of the payloaders to a file, one a line."""
    file = open(path, "w", encoding="ascii")  # noqa: SIM115: as long as the server runs

    def write(buffer):
        print(buffer.extract_dup(0, buffer.get_size()).hex(), file=file, flush=True)

    def kept(_, info):
        if info.type & Gst.PadProbeType.BUFFER_LIST:
            packets = info.get_buffer_list()
            for index in range(packets.length()):
                write(packets.get(index))
        else:
            write(info.get_buffer())
        return Gst.PadProbeReturn.OK

    for name in ("pay0", "pay1"):
        payloader = media.get_element().get_by_name(name)
        if payloader:
            kinds = Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST
            payloader.get_static_pad("src").add_probe(kinds, kept)


def shorten_sessions(client, seconds):
    if seconds != 60:
        client.connect("new-session", lambda _, session: session.set_timeout(seconds))


def main():
    options = read_options()
    Gst.init(None)
    server = GstRtspServer.RTSPServer.new()
    server.set_address(options.address)
    server.set_service(str(options.port))
    factory = GstRtspServer.RTSPMediaFactory.new()
    if options.record:
        launch = options.launch or RECORD
        factory.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
        factory.set_latency(200)
    elif options.launch:
        launch = options.launch
    elif options.film:
        launch = FILM.format(film=options.film)
    else:
        launch = VIDEO.format(
            frames=options.frames,
            pattern=options.pattern,
            bitrate=options.bitrate,
            mtu=options.mtu,
            config=options.config_interval,
        )
        launch += " " + AUDIO[options.audio]
    factory.set_launch("( " + launch + " )")
    if options.multicast:
        pool = GstRtspServer.RTSPAddressPool.new()
        pool.add_range("239.77.0.1", "239.77.0.4", 5000, 5010, 4)
        factory.set_address_pool(pool)
        factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP_MCAST)
        factory.set_shared(True)
    if options.profile:
        factory.set_profiles(getattr(GstRtsp.RTSPProfile, options.profile.upper()))
    if options.sent:
        factory.connect("media-configure", lambda _, media: keep_packets(media, options.sent))
    if options.retransmit:
        factory.set_retransmission_time(500 * Gst.MSECOND)
        factory.set_do_retransmission(True)
    if options.tls:
        # TLS requires a role, so every client is a viewer.
        auth = GstRtspServer.RTSPAuth.new()
        auth.set_default_token(viewer(factory))
        auth.set_tls_certificate(Gio.TlsCertificate.new_from_files(options.tls + "/cert.pem", options.tls + "/key.pem"))
        server.set_auth(auth)
    if options.auth:
        require_login(server, factory, options.auth)
    server.connect("client-connected", lambda _, client: shorten_sessions(client, options.session_timeout))
    server.get_session_pool().connect(
        "session-removed", lambda _, session: print("session removed", session.get_sessionid(), flush=True)
    )
    server.get_mount_points().add_factory("/live", factory)
    server.attach(None)
    loop = GLib.MainLoop()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGTERM, loop.quit)
    loop.run()


main()
