#!/bin/bash
# Timestamps that exceed 0xFFFFFF and are extended from there on (RTMP 5.3.1.3): ffmpeg and GStreamer's rtmp2sink publish,
# ffmpeg and rtmpdump play; a publisher that does not repeat the extended timestamp in type-3 chunks; and one whose
# timestamps exceed 0xFFFFFFFF, too (rtmp_publisher.py for both).
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server

# 0xFFFFFF ms are 16777.215 s.
start_capture client rtmp/rtmp-extended.pcap -i eth0
in_host client timeout 60 ffmpeg -nostdin -v warning "${source_options[@]}" -t 3 -output_ts_offset 16776 \
    rtmp://$server:19350/live/camera >"$work/publisher.log" 2>&1
stop_capture

# Extended from the first message on, so that messages of several chunks are included.
start_capture client rtmp/rtmp-extended-start.pcap -i eth0
in_host client timeout 60 ffmpeg -nostdin -v warning "${source_options[@]}" -t 2 -output_ts_offset 16780 \
    rtmp://$server:19350/live/camera >"$work/publisher.log" 2>&1
stop_capture

for port in 19350 1935; do
    background "publisher$port" server ffmpeg -nostdin -v warning "${source_options[@]}" -t 12 \
        -output_ts_offset 16774 rtmp://$server:$port/live/camera
done
sleep 1.5
start_capture client rtmp/rtmp-play-extended.pcap -i eth0
background rtmpdump client timeout --signal INT 4 rtmpdump -q -r rtmp://$server/live/camera --live -o /dev/null
ffmpeg_client -i rtmp://$server:19350/live/camera -t 2.5 -f null -
wait "$started" || true
stop_capture

start_capture client rtmp/rtmp-play-extended-start.pcap -i eth0
ffmpeg_client -i rtmp://$server:19350/live/camera -t 2 -f null -
stop_capture

make_flv "$work/film.flv" 3
start_capture client rtmp/rtmp-extended-omitted.pcap -i eth0
in_host client $python "$record/rtmp_publisher.py" "$work/film.flv" $server:19352 live/camera \
    --first-timestamp 16776000 --omit-extended >"$work/client.log"
stop_capture

start_capture client rtmp/rtmp-extended-wrapped.pcap -i eth0
in_host client $python "$record/rtmp_publisher.py" "$work/film.flv" $server:19350 live/wrapped \
    --first-timestamp 4294966000 >"$work/client.log"
stop_capture
