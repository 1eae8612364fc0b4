#!/bin/bash
# Captures on an intermediate host with two interfaces: a bridge, where `-i any` and pcapng with two interfaces
# contain each frame more than once, and a router, where the second copy has another TTL. Also nanoseconds, gzip
# and zstd. GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle
in_host middle ip link add bridge0 type bridge
in_host middle ip link set left0 master bridge0
in_host middle ip link set right0 master bridge0
in_host middle ip link set bridge0 up
gst_server

start_capture middle rtsp/rtsp-any-sll2.pcap -i any
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2 -f null -
stop_capture

start_capture middle rtsp/rtsp-any-tcp-sll2.pcap -i any
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/live -t 2 -f null -
stop_capture

dump_two_interfaces() {
    background dumpcap middle dumpcap -q -n -i left0 -i right0 -w "$captures/rtsp/$1"
    recorders+=("$started")
    until grep -qs '^File:' "$work/dumpcap.log"; do sleep 0.1; done
}
dump_two_interfaces rtsp-two-interfaces.pcapng
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2 -f null -
stop_capture

start_capture client rtsp/rtsp-nanoseconds.pcap --time-stamp-precision=nano -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2 -f null -
stop_capture
chmod 644 "$captures/rtsp/rtsp-two-interfaces.pcapng"
gzip -9 -n -k -f "$captures/rtsp/rtsp-nanoseconds.pcap"
zstd -q -19 -f "$captures/rtsp/rtsp-nanoseconds.pcap"

# From a bridge to a router between two networks, captured with the older cooked header.
in_host middle ip link delete bridge0
in_host middle ip address add 10.77.0.254/24 dev left0
in_host middle ip address add 10.78.0.254/24 dev right0
in_host server ip address add 10.78.0.2/24 dev eth0
in_host server ip address delete 10.77.0.2/24 dev eth0
in_host server ip route add default via 10.78.0.254
in_host client ip route add default via 10.77.0.254
in_host middle sysctl -q -w net.ipv4.ip_forward=1
start_capture middle rtsp/rtsp-router-sll.pcap -i any -y LINUX_SLL
ffmpeg_client -rtsp_transport tcp -i rtsp://10.78.0.2/live -t 2 -f null -
stop_capture
