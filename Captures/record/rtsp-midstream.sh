#!/bin/bash
# Captures that start midstream: an interleaved one in the middle of the stream, and a UDP one after SETUP and
# PLAY. Both contain the TEARDOWN. In a third the interleaved packets are longer than a segment, and the server's
# first captured octets are inside one. GStreamer serves, ffmpeg plays.
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

gst_server --port 8554 --mtu 4000 --pattern snow --bitrate 250 --audio none
background player client ffmpeg -nostdin -v warning -rtsp_transport tcp -i rtsp://$server:8554/live -t 4 -f null -
player=$started
sleep 2.5
start_capture client rtsp/rtsp-midstream-split.pcap -i eth0
wait "$player"
stop_capture
whole="$captures/rtsp/rtsp-midstream-split.pcap"
middle='tcp.srcport == 8554 && tcp.payload && !(tcp.payload[0] == 24)'
first=$(tshark -n -r "$whole" -Y "$middle" -T fields -e frame.number 2>/dev/null | head -n 1)
editcap -F pcap -r "$whole" "$work/split.pcap" "$first-99999"
cat "$work/split.pcap" >"$whole"
