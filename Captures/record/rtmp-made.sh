#!/bin/bash
# Features that no other program here uses, with rtmp_made.py at both ends.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
make_flv "$work/film.flv" 1
background made server $python "$record/rtmp_made.py" server 1935
wait_for_port server 1935
start_capture client rtmp/rtmp-made.pcap -i eth0
in_host client timeout 20 $python "$record/rtmp_made.py" client $server 1935 "$work/film.flv" >"$work/client.log" 2>&1
stop_capture
