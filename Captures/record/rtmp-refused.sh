#!/bin/bash
# RTMP failures with nginx-rtmp: a missing application, publishing denied, a hook that responds 403, a second
# publisher of the same name, a stream without a publisher, a server that is killed.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
nginx_pid=$started

start_capture client rtmp/rtmp-no-application.pcap -i eth0
publish_from client 2 rtmp://$server/nothing-here/camera || true
stop_capture

start_capture client rtmp/rtmp-publish-denied.pcap -i eth0
publish_from client 2 rtmp://$server/closed/camera || true
stop_capture

start_capture client rtmp/rtmp-publish-403.pcap -i eth0
publish_from client 2 rtmp://$server/guarded/camera || true
stop_capture

start_capture client rtmp/rtmp-play-nothing.pcap -i eth0
in_host client timeout 3 ffmpeg -nostdin -v warning -i rtmp://$server/live/nobody -f null - \
    >"$work/client.log" 2>&1 || true
stop_capture

keep_publishing rtmp://$server/live/camera
start_capture client rtmp/rtmp-publish-taken.pcap -i eth0
publish_from client 2 rtmp://$server/live/camera || true
stop_capture

start_capture client rtmp/rtmp-server-killed.pcap -i eth0
background player client timeout 10 ffmpeg -nostdin -v warning -i rtmp://$server/live/camera -f null -
player=$started
sleep 3
# shellcheck disable=SC2046 # one word each: the master and its worker
kill -KILL $(in_host server pgrep -P "$nginx_pid") "$nginx_pid"
wait "$player" || true
stop_capture
