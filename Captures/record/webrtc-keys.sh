#!/bin/bash
# Calls between two aiortc peers as in webrtc-peers.sh, with the secrets of DTLS and the packets that the offerer sends in
# the clear beside the captures: audio and a data channel with AES-GCM, and audio with AES-CM.
. "$(dirname "$0")/common.sh"
python=$record/.venv/bin/python
two_hosts

# call NAME OFFERER-OPTIONS: one call, recorded at the client, the offerer.
call() {
    local name=$captures/webrtc/$1
    shift
    rm -f "$name.keylog" "$name.sent"
    background answerer server "$python" "$record/webrtc_peer.py" answer --ipv4
    wait_for_port server 6868
    start_capture client "webrtc/${name##*/}.pcap" -s 65535 -i eth0 udp or tcp
    in_host client timeout 60 "$python" "$record/webrtc_peer.py" offer "$server:6868" --ipv4 --keylog "$name.keylog" \
        --sent "$name.sent" "$@" >"$work/offerer.log" 2>&1 || cat "$work"/*.log
    stop_capture
    wait "$started" || true
}

call webrtc-keys-gcm --media audio,data --seconds 2
call webrtc-keys-cm --media audio --seconds 1.5 --profile SRTP_AES128_CM_SHA1_80
