#!/bin/bash
# The same dialogues encrypted and in the clear: TLS ends at a front on the server's host, and a second capture has its
# loopback interface. NAME.pcap is encrypted, NAME.keys has its secrets, NAME.pcap.clear is its twin.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
modern=$record/.venv/bin/python
mkdir -p "$captures/tls"

# front NAME PORT FORWARD-PORT OPTIONS…: starts the front and both captures.
front() {
    local name=$1 port=$2 forward=$3
    shift 3
    rm -f "$captures/tls/$name.keys"
    background front server $python "$record/tls_front.py" "$port" "$forward" "$work" \
        --keylog "$captures/tls/$name.keys" "$@"
    front_pid=$started
    wait_for_port server "$port"
    start_capture client "tls/$name.pcap" -i eth0 ip
    start_capture server "tls/$name.pcap.clear" -i lo "tcp port $forward"
}

stop_front() {
    stop_capture
    kill "$front_pid"
}

rtsps() {
    gst_server --port 554 --audio none
    front rtsps-tls13 322 554
    gst_client "rtsps://camera.weir.example:322/live" play=2 --protocols tcp --set tls-validation-flags=0
    stop_front
    kill "$gst_server_pid"
}

# rtmps NAME OPTIONS…: ffmpeg publishes to nginx-rtmp.
rtmps() {
    local name=$1
    shift
    front "$name" 443 1935 "$@"
    publish_from client 2 rtmps://rtmp.weir.example/live/camera
    stop_front
}

wss() {
    background call server "$modern" "$record/web_call_peers.py" serve websocket 8765
    local peer=$started
    wait_for_port server 8765
    front wss-tls13 443 8765 --alpn http/1.1
    in_host client timeout 60 "$modern" "$record/web_call_peers.py" talk tls 443 calls.weir.example --tls "$work" \
        >"$work/client.log" 2>&1
    stop_front
    kill "$peer"
}

whip() {
    background whip server "$modern" "$record/whip_peers.py" serve 8080 --token test-secret
    local peer=$started
    wait_for_port server 8080
    front whip-tls12-chacha20 443 8080 --version 1.2 --ciphers ECDHE-RSA-CHACHA20-POLY1305
    in_host client timeout 60 "$modern" "$record/whip_peers.py" talk 443 calls.weir.example --token test-secret \
        --tls "$work" >"$work/client.log" 2>&1
    stop_front
    kill "$peer"
}

rtmp_server
certificate calls.weir.example
call_server camera.weir.example rtmp.weir.example calls.weir.example
rtsps
rtmps rtmps-tls12-gcm --version 1.2 --ciphers ECDHE-RSA-AES128-GCM-SHA256
rtmps rtmps-tls12-cbc --version 1.2 --ciphers ECDHE-RSA-AES128-SHA --mac-then-encrypt
rtmps rtmps-tls12-cbc-etm --version 1.2 --ciphers ECDHE-RSA-AES256-SHA
wss
whip
