"""Makes captures of what public bug reports describe, from recorded captures.

Usage: reported.py CAPTURES [--all | NAME …]. Without names, the captures that are part of the project. Addresses, names
and media are those of the recorded captures; only the facts of a report are in the result: which message, packet or
time was wrong.
"""

import pathlib
import sys

import dialogue
import reported_media
import reported_rtmp
import reported_rtsp
import reported_turn
import reported_webrtc

KEPT = """
    rtsp-setup-without-transport rtsp-setup-without-channels rtsp-setup-of-presentation rtsp-redirect-not-followed
    rtsp-stale-frames rtsp-keepalive-old-cseq rtsp-sdp-last-line-open rtsp-session-with-timeout rtsp-other-client-ports
    rtsp-keepalive-after-timeout media-report-clock media-report-padding rtmp-no-c2 rtmp-chunk-size-128m
    rtmp-control-on-stream-4 rtmp-type-2-first rtmp-message-too-long rtmp-connect-no-application
    rtmp-numbers-before-metadata rtmp-status-on-stream-0 rtmp-acknowledgement-same turn-forbidden-peer
    turn-channel-not-refreshed turn-closed-port turn-permission-refused-later turn-channel-for-bound-peer
    turn-stale-nonce-401 call-answer-actpass call-answer-no-rtcp-mux call-former-fragment call-dtls-cookie-ignored
    call-dtls-other-port call-dtls-not-begun call-dtls-other-fragments call-fingerprint-sha-1 whip-relative-location
""".split()
MODULES = (reported_rtsp, reported_media, reported_rtmp, reported_turn, reported_webrtc)


def main():
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or KEPT
    for module in MODULES:
        for name, make in module.CASES.items():
            if name in names or "--all" in names:
                dialogue.write(folder / f"reported/{name}.pcap", make(folder))


main()
