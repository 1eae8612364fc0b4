#!/bin/bash
# Calls between two aiortc peers, signaled with lines of JSON over TCP: one that works, one with a data channel, and three
# that fail (a wrong password, a blocked port, a wrong fingerprint).
. "$(dirname "$0")/common.sh"
python=$record/.venv/bin/python
two_hosts

# call FILE ANSWERER-OPTIONS -- OFFERER-OPTIONS: one call, recorded at the client, the offerer.
call() {
    local file=$1 answerer=()
    shift
    while [ "$1" != -- ]; do
        answerer+=("$1")
        shift
    done
    shift
    background answerer server "$python" "$record/webrtc_peer.py" answer "${answerer[@]}"
    wait_for_port server 6868
    start_capture client "webrtc/$file" -s 65535 -i eth0 udp or tcp
    in_host client timeout 60 "$python" "$record/webrtc_peer.py" offer "$server:6868" "$@" >"$work/offerer.log" 2>&1
    stop_capture
    wait "$started" || true
}

call webrtc-call.pcap --ipv4 -- --ipv4 --media audio,video --seconds 3
call webrtc-data-channel.pcap -- --media data --seconds 2
call webrtc-wrong-password.pcap --ipv4 -- --ipv4 --break password
call webrtc-wrong-fingerprint.pcap --ipv4 -- --ipv4 --break fingerprint

# A firewall at the server permits TCP and blocks UDP.
in_host server ip rule add preference 20 lookup local
in_host server ip rule add preference 10 ipproto udp to $server blackhole
in_host server ip rule delete preference 0
call webrtc-blocked-port.pcap --ipv4 -- --ipv4
