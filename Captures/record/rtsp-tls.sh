#!/bin/bash
# RTSPS: RTSP in TLS, terminated by the GStreamer RTSP server, on the RTSPS port and on another one.
. "$(dirname "$0")/common.sh"
two_hosts
certificate camera.weir.example
call_server camera.weir.example

# play FILE PORT
play() {
    gst_server --port "$2" --audio none --tls "$work"
    start_capture client "rtsp/$1.pcap" -i eth0 ip
    gst_client "rtsps://camera.weir.example:$2/live" play=2 --protocols tcp --set tls-validation-flags=0
    stop_capture
    kill "$gst_server_pid"
}

play rtsps 322
play rtsps-other-port 8322
