#!/bin/bash
# Calls between two aiortc peers, signaled with JSON in WebSocket, without and with compression, in HTTP, and as events of
# Socket.IO, which starts with long polling and continues in WebSocket.
. "$(dirname "$0")/common.sh"
two_hosts
modern=$record/.venv/bin/python

# call FILE CARRIER PORT
call() {
    background "$2" server "$modern" "$record/web_call_peers.py" serve "$2" "$3"
    wait_for_port server "$3"
    start_capture client "webrtc/$1.pcap" -i eth0 ip
    in_host client timeout 60 "$modern" "$record/web_call_peers.py" talk "$2" "$3" "$server" >"$work/client.log" 2>&1
    stop_capture
}

call signaling-websocket websocket 8765
call signaling-websocket-deflate deflate 8766
call signaling-http http 8080
call signaling-socketio socketio 3000
