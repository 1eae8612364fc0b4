#!/bin/bash
# Calls with signaling over WebSocket in TLS (WSS): to a server whose name indicates its purpose, and to one whose name
# does not.
. "$(dirname "$0")/common.sh"
two_hosts
modern=$record/.venv/bin/python

# call FILE NAME
call() {
    certificate "$2"
    call_server "$2"
    background "$1" server "$modern" "$record/web_call_peers.py" serve tls 443 --tls "$work"
    local peer=$started
    wait_for_port server 443
    start_capture client "webrtc/$1.pcap" -i eth0 ip
    in_host client timeout 60 "$modern" "$record/web_call_peers.py" talk tls 443 "$2" --tls "$work" >"$work/client.log" 2>&1
    stop_capture
    kill "$peer"
}

call signaling-wss signaling.weir.example
call signaling-wss-unnamed calls.weir.example
