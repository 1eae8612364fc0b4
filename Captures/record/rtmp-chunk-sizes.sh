#!/bin/bash
# Chunks of 128 and of 60000 octets around larger messages, and a publisher that changes its chunk size midstream
# (rtmp_publisher.py).
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
large=(-re -f lavfi -i testsrc2=size=640x360:rate=10 -re -f lavfi -i sine=sample_rate=22050
    -c:v libx264 -preset veryfast -tune zerolatency -g 10 -b:v 300k -pix_fmt yuv420p -c:a aac -b:a 16k -f flv)

publish_large() {
    in_host client timeout 60 ffmpeg -nostdin -v warning "${large[@]}" -t "$1" "$2" >"$work/publisher.log" 2>&1
}

start_capture client rtmp/rtmp-chunks-128.pcap -i eth0
publish_large 2 rtmp://$server:19350/live/camera
stop_capture

start_capture client rtmp/rtmp-chunks-60000.pcap -i eth0
publish_large 2 rtmp://$server:19351/live/camera
stop_capture

background publisher server ffmpeg -nostdin -v warning "${large[@]}" rtmp://$server:19351/live/camera
sleep 2
start_capture client rtmp/rtmp-play-chunks-60000.pcap -i eth0
in_host client timeout --signal INT 2 rtmpdump -q -r rtmp://$server:19351/live/camera --live -o /dev/null || true
stop_capture

make_flv "$work/film.flv" 3
start_capture client rtmp/rtmp-chunks-changing.pcap -i eth0
in_host client $python "$record/rtmp_publisher.py" "$work/film.flv" $server live/camera \
    --chunk-sizes 128 4096 65536 10485760 17 1 >"$work/client.log"
stop_capture
