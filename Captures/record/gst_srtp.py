"""Sends streams with SRTP and, to ports 1000 above, the same packets in the clear; writes the keys to a file.

    gst_srtp.py RECEIVER KEY-FILE

The sequence numbers of the first stream roll over after 20 packets. RTCP is multiplexed onto the ports of RTP.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

# The name in the key file, and cipher, authentication, key octets and salt octets of srtpenc.
PROFILES = [
    ("AES_CM_128_HMAC_SHA1_80", "aes-128-icm", "hmac-sha1-80", 16, 14),
    ("AES_CM_128_HMAC_SHA1_32", "aes-128-icm", "hmac-sha1-32", 16, 14),
    ("AES_CM_256_HMAC_SHA1_80", "aes-256-icm", "hmac-sha1-80", 32, 14),
    ("AEAD_AES_128_GCM", "aes-128-gcm", "null", 16, 12),
    ("AEAD_AES_256_GCM", "aes-256-gcm", "null", 32, 12),
]
PACKETS = 30


def stream(index, receiver):
    """The elements of one stream: audio, or video for the profile with AES-GCM and 128 bits."""
    name, cipher, authentication, key_octets, salt_octets = PROFILES[index]
    secret = bytes((index * 50 + octet) % 256 for octet in range(key_octets + salt_octets))
    # RTCP tags are never shortened.
    reports = authentication if authentication == "null" else "hmac-sha1-80"
    ssrc = 0x5EC0DE00 + index
    first = 65_516 if index == 0 else 100
    media = (
        "videotestsrc is-live=true num-buffers=15 ! video/x-raw,width=160,height=120,framerate=10/1"
        " ! x264enc bitrate=40 speed-preset=veryfast tune=zerolatency key-int-max=10 ! video/x-h264,profile=main"
        f" ! rtph264pay pt=96 mtu=1200 config-interval=-1 ssrc={ssrc} seqnum-offset={first} timestamp-offset=0"
        if index == 3 else
        f"audiotestsrc is-live=true wave=ticks samplesperbuffer=320 num-buffers={PACKETS} ! audio/x-raw,rate=8000,channels=1"
        f" ! mulawenc ! rtppcmupay pt=0 min-ptime=40000000 max-ptime=40000000 ssrc={ssrc} seqnum-offset={first}"
        " timestamp-offset=0")
    port = 5000 + 10 * index
    line = f"0x{ssrc:08x} {name} {secret.hex()}"
    pipeline = (
        f"rtpbin name=bin{index} {media} ! bin{index}.send_rtp_sink_0"
        f" srtpenc name=enc{index} key={secret.hex()} rtp-cipher={cipher} rtp-auth={authentication}"
        f" rtcp-cipher={cipher} rtcp-auth={reports} allow-repeat-tx=true"
        f" bin{index}.send_rtp_src_0 ! tee name=rtp{index}"
        f" rtp{index}. ! queue ! enc{index}.rtp_sink_0"
        f" enc{index}.rtp_src_0 ! udpsink host={receiver} port={port} bind-port={port + 500} sync=false async=false"
        f" rtp{index}. ! queue ! udpsink host={receiver} port={port + 1000} bind-port={port + 1500} sync=false async=false"
        f" bin{index}.send_rtcp_src_0 ! tee name=rtcp{index}"
        f" rtcp{index}. ! queue ! enc{index}.rtcp_sink_0"
        f" enc{index}.rtcp_src_0 ! udpsink host={receiver} port={port + 1} bind-port={port + 501} sync=false async=false"
        f" rtcp{index}. ! queue ! udpsink host={receiver} port={port + 1001} bind-port={port + 1501} sync=false async=false")
    return pipeline, line


def main():
    receiver, key_file = sys.argv[1:]
    Gst.init(None)
    streams = [stream(index, receiver) for index in range(len(PROFILES))]
    with open(key_file, "w", encoding="ascii") as file:
        print("# The keys of rtp-srtp.pcap: SSRC, profile, master key and salt.", file=file)
        for _, line in streams:
            print(line, file=file)
    loop = GLib.MainLoop()
    pipelines = [Gst.parse_launch(description) for description, _ in streams]
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.PLAYING)
    GLib.timeout_add(2_500, loop.quit)
    loop.run()
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.NULL)


main()
