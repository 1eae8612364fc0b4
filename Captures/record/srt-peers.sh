#!/bin/bash
# SRT between other programs than srt-live-transmit: ffmpeg as caller and listener with a key of 16 octets, GStreamer with
# a key of 24 octets, and srt-file-transmit in file mode (buffer mode, no live delivery).
. "$(dirname "$0")/common.sh"
two_hosts

ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 2 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 60k -pix_fmt yuv420p -f mpegts -muxrate 120k "$work/film.ts"
secret=correct-horse-battery

start_capture client srt/srt-ffmpeg.pcap -i eth0 udp or icmp
background listener server timeout 8 ffmpeg -nostdin -v error -y \
    -i "srt://0.0.0.0:9720?mode=listener&passphrase=$secret&pbkeylen=16" -c copy -f mpegts "$work/received.ts"
sleep 0.7
in_host client timeout 8 ffmpeg -nostdin -v error -re -i "$work/film.ts" -c copy -f mpegts -muxrate 120k \
    "srt://$server:9720?pkt_size=1316&streamid=live/camera2&passphrase=$secret&pbkeylen=16"
sleep 0.5
stop_capture

start_capture client srt/srt-gstreamer.pcap -i eth0 udp or icmp
background sink server timeout 8 $python "$record/gst_pipeline.py" srtsrc "uri=srt://:9721?mode=listener" passphrase=$secret pbkeylen=24 \
    ! filesink location="$work/received-gst.ts"
sleep 0.7
in_host client timeout 8 $python "$record/gst_pipeline.py" videotestsrc num-buffers=20 ! video/x-raw,width=160,height=120,framerate=10/1 \
    ! x264enc bitrate=60 key-int-max=10 tune=zerolatency ! mpegtsmux alignment=7 \
    ! srtsink "uri=srt://$server:9721" passphrase=$secret pbkeylen=24 latency=150
sleep 0.5
stop_capture

head -c 20000 "$work/film.ts" >"$work/upload.ts"
mkdir "$work/incoming"
start_capture client srt/srt-file.pcap -i eth0 udp or icmp
background receiver server timeout 8 srt-file-transmit -q "srt://:9722?mode=listener" "file://$work/incoming/upload.ts"
sleep 0.7
in_host client timeout 8 srt-file-transmit -q "file://$work/upload.ts" "srt://$server:9722"
sleep 0.5
stop_capture
cmp "$work/upload.ts" "$work/incoming/upload.ts"
sha256sum <"$work/upload.ts" | cut -d " " -f 1 >"$captures/srt/srt-file.sha256"
