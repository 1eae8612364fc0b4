#!/bin/bash
# MPEG transport streams in bodies of HTTP messages: progressive, in chunks, from ffmpeg to ffmpeg; HLS segments of known
# length from Python's server; and a stream published with POST.
. "$(dirname "$0")/common.sh"
two_hosts

picture=(-f lavfi -i testsrc=size=160x120:rate=25)
sound=(-f lavfi -i sine=frequency=440)
encoding=(-c:v libx264 -preset veryfast -g 25 -b:v 100k -c:a aac -b:a 32k)

start_capture client http/mpegts-progressive.pcap -i eth0 tcp
background server server ffmpeg -nostdin -re "${picture[@]}" "${sound[@]}" -t 2 "${encoding[@]}" -f mpegts \
    -listen 1 "http://$server:8080/live.ts"
wait_for_port server 8080
in_host client timeout 20 ffmpeg -nostdin -i "http://$server:8080/live.ts" -c copy -f null - >"$work/client.log" 2>&1
stop_capture

mkdir "$work/segments"
ffmpeg -nostdin "${picture[@]}" "${sound[@]}" -t 3 "${encoding[@]}" -f hls -hls_time 1 -hls_playlist_type vod \
    "$work/segments/index.m3u8" >"$work/encoder.log" 2>&1
chmod -R a+rX "$work/segments"
background web server $python -m http.server --protocol HTTP/1.1 --bind $server --directory "$work/segments" 8081
wait_for_port server 8081
start_capture client http/mpegts-segments.pcap -i eth0 tcp
in_host client timeout 20 ffmpeg -nostdin -http_persistent 1 -i "http://$server:8081/index.m3u8" -c copy -f null - \
    >"$work/player.log" 2>&1
stop_capture

start_capture client http/mpegts-post.pcap -i eth0 tcp
background receiver server ffmpeg -nostdin -listen 1 -i "http://$server:8082/publish" -c copy -f null -
wait_for_port server 8082
in_host client timeout 20 ffmpeg -nostdin -re "${picture[@]}" -t 1 -c:v libx264 -preset veryfast -b:v 100k -f mpegts \
    -method POST -content_type video/mp2t "http://$server:8082/publish" >"$work/publisher.log" 2>&1
stop_capture
