#!/bin/bash
# MPEG-4 as in RFC 6416: MPEG-4 Visual with B-frames (MP4V-ES) and AAC in LATM (MP4A-LATM) of one file made by ffmpeg:
# served by GStreamer and played by ffmpeg, and published by ffmpeg to a GStreamer server. The captures are taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts

ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -f lavfi -i sine=frequency=440:sample_rate=16000 \
    -t 4 -c:v mpeg4 -g 10 -bf 2 -b:v 40k -pix_fmt yuv420p -c:a aac -b:a 24k "$work/film.mp4"

gst_server --port 8556 --launch "filesrc location=$work/film.mp4 ! qtdemux name=demux \
    demux.video_0 ! queue ! mpeg4videoparse ! rtpmp4vpay name=pay0 pt=96 mtu=500 config-interval=1 \
    demux.audio_0 ! queue ! aacparse ! rtpmp4apay name=pay1 pt=97 mtu=150"
start_capture client rtsp/rtsp-mp4v-latm.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server:8556/live -f null -
stop_capture

kill "$gst_server_pid"
background server server $python "$record/gst_server.py" --port 8557 --record \
    --launch "rtpmp4vdepay name=depay0 ! fakesink async=false rtpmp4adepay name=depay1 ! fakesink async=false"
wait_for_port server 8557
start_capture client rtsp/rtsp-record-mp4v-latm.pcap -i eth0
ffmpeg_client -re -i "$work/film.mp4" -c copy -rtpflags latm -f rtsp -rtsp_transport udp "rtsp://$server:8557/live"
stop_capture
