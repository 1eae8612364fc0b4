#!/bin/bash
# AV1 in RTP, sent by PyAV's FFmpeg libraries (rtp_remux.py), since Debian's ffmpeg and GStreamer do not support it. The
# pictures are noise, so that a frame takes several packets. The capture is taken at the client.
. "$(dirname "$0")/common.sh"
av_python=${AV_PYTHON:-$record/.venv/bin/python} # install.sh
two_hosts
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=320x240:rate=15 -vf noise=alls=20:allf=t -t 4 -pix_fmt yuv420p \
    -c:v libsvtav1 -preset 12 -g 15 -b:v 300k "$work/av1.mp4" 2>"$work/ffmpeg.log"
start_capture client rtp/rtp-av1.pcap -i eth0 udp
in_host server timeout 60 "$av_python" "$record/rtp_remux.py" "$work/av1.mp4" rtp://$client:5120 ssrc=305419899 \
    payload_type=96 strict=experimental >"$work/sender.log" 2>&1
stop_capture
