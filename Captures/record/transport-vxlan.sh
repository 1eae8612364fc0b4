#!/bin/bash
# RTSP over a VXLAN between the two hosts, recorded outside the tunnel; GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts
tunnel() {
    in_host "$1" ip link add tunnel0 type vxlan id 77 remote "$3" dstport 4789 dev eth0
    in_host "$1" ethtool -K tunnel0 tx off tso off gso off gro off >/dev/null
    in_host "$1" ip link set tunnel0 address "02:00:0a:4e:00:0$2" up
    in_host "$1" ip address add "10.78.0.$2/24" dev tunnel0
}
tunnel client 1 $server
tunnel server 2 $client
gst_server

start_capture client transport/vxlan-rtsp-udp.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://10.78.0.2/live -t 2 -f null -
stop_capture
