#!/bin/bash
# WebSocket between two implementations, with and without compression; RTSP over WebSocket, as in ONVIF.
. "$(dirname "$0")/common.sh"
two_hosts
modern=$record/.venv/bin/python

# talk FILE PORT LIBRARY OPTIONS…: records the messages of a server and a client.
talk() {
    local file=$1 port=$2 library=$3
    shift 3
    background "$library-$port" server "$modern" "$record/http_peers.py" serve "$library" "$port" "$@"
    wait_for_port server "$port"
    start_capture client "http/$file.pcap" -i eth0 tcp
    in_host client timeout 60 "$modern" "$record/http_peers.py" talk "$library" "$port" "$server" "$@" >"$work/client.log" 2>&1
    stop_capture
}

talk websocket-plain 8765 websockets --plain
talk websocket-deflate 8766 websockets
talk websocket-aiohttp 8080 aiohttp

# Without the first packets: frames without the upgrade.
tshark -r "$captures/http/websocket-plain.pcap" -Y 'frame.number > 8' -w "$captures/http/websocket-midstream.pcap" -F pcap

gst_server --port 8554
background bridge-server server "$modern" "$record/rtsp_websocket_bridge.py" serve 8081 127.0.0.1 8554
wait_for_port server 8081
background bridge-client client "$modern" "$record/rtsp_websocket_bridge.py" talk 8554 $server 8081
wait_for_port client 8554
start_capture client http/rtsp-websocket.pcap -i eth0 tcp
ffmpeg_client -rtsp_transport tcp -i rtsp://127.0.0.1:8554/live -t 3 -f null -
stop_capture
