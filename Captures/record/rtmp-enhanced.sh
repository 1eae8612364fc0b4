#!/bin/bash
# Codecs that FLV 10.1 does not define, in Enhanced RTMP: published and played by PyAV's FFmpeg libraries
# (rtmp_remux.py), which are newer than Debian's; and HEVC as codec 12 (legacy), by a script (rtmp_publisher.py).
. "$(dirname "$0")/rtmp-common.sh"
av_python=${AV_PYTHON:-$record/.venv/bin/python} # install.sh
two_hosts
rtmp_server

make_media() {
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -f lavfi -i sine=sample_rate=48000 -t 3 \
        -pix_fmt yuv420p -g 10 -b:v 40k -b:a 16k "${@:2}" "$work/$1" 2>"$work/ffmpeg.log"
}
make_media hevc.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1 -c:a aac
make_media av1.mp4 -c:v libsvtav1 -preset 12 -c:a libopus
make_media vp9.mkv -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a flac
make_media first.mp4 -c:v libx264 -preset veryfast -tune zerolatency -c:a aac
make_media second.mp4 -c:v libx264 -preset veryfast -tune zerolatency -s 96x64 -c:a libopus

remux() {
    in_host client timeout 60 "$av_python" "$record/rtmp_remux.py" rtmp://$server/live/camera "$@" \
        >"$work/client.log" 2>&1
}

start_capture client rtmp/rtmp-enhanced-hevc.pcap -i eth0
remux "$work/hevc.mp4"
stop_capture
start_capture client rtmp/rtmp-enhanced-av1-opus.pcap -i eth0
remux "$work/av1.mp4"
stop_capture
start_capture client rtmp/rtmp-enhanced-vp9-flac.pcap -i eth0
remux "$work/vp9.mkv"
stop_capture
start_capture client rtmp/rtmp-enhanced-multitrack.pcap -i eth0
remux "$work/first.mp4" "$work/second.mp4"
stop_capture

background publisher server "$av_python" "$record/rtmp_remux.py" rtmp://$server/live/kept "$work/hevc.mp4"
sleep 0.5
start_capture client rtmp/rtmp-enhanced-play.pcap -i eth0
in_host client timeout 2.5 "$av_python" "$record/rtmp_remux_player.py" rtmp://$server/live/kept 9 \
    rtmp_enhanced_codecs=hvc1,av01,vp09 >"$work/client.log" 2>&1 || true
stop_capture

"$av_python" "$record/rtmp_remux.py" "$work/hevc.flv" "$work/hevc.mp4" >"$work/client.log" 2>&1
start_capture client rtmp/rtmp-hevc-codec-12.pcap -i eth0
in_host client $python "$record/rtmp_publisher.py" "$work/hevc.flv" $server live/old --codec-12 \
    --chunk-sizes 4096 >"$work/client.log"
stop_capture
