#!/bin/bash
# Captures that begin when the peers have been talking for a while: an interleaved one in the middle of the stream, and a
# UDP one after SETUP and PLAY. Both see the TEARDOWN. GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server

record_late() {
    background player client ffmpeg -nostdin -v warning -rtsp_transport "$1" -i rtsp://$server/live -t 5 -f null -
    local player=$started
    sleep 2.5
    start_capture client "$2" -i eth0
    wait "$player"
    stop_capture
}
record_late tcp rtsp/rtsp-midstream-tcp.pcap
record_late udp rtsp/rtsp-midstream-udp.pcap
