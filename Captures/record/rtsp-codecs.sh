#!/bin/bash
# Other media over UDP: H.264 with B-frames and AAC, H.265 with Opus, MPEG-4 Visual with L16, VP8 with G.722, and
# Motion JPEG with PCMA. GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts

make_film "$work/film.mp4" 10 2
gst_server --port 8554 --film "$work/film.mp4"
start_capture client rtsp/rtsp-b-frames.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server:8554/live -t 3 -f null -
stop_capture

picture="videotestsrc is-live=true pattern=ball ! video/x-raw,format=I420,width=160,height=120,framerate=10/1"
sound="audiotestsrc is-live=true wave=ticks ! audio/x-raw,channels=1"

# serve NAME PORT PIPELINE
serve() {
    gst_server --port "$2" --launch "$3"
    start_capture client "rtsp/$1.pcap" -i eth0
    ffmpeg_client -rtsp_transport udp -i "rtsp://$server:$2/live" -t 3 -f null -
    stop_capture
}
serve rtsp-h265-opus 8555 "$picture ! x265enc bitrate=40 speed-preset=ultrafast tune=zerolatency key-int-max=10 \
    ! rtph265pay name=pay0 pt=96 config-interval=1 $sound,rate=48000 ! opusenc bitrate=16000 ! rtpopuspay name=pay1 pt=97"
serve rtsp-mpeg4-l16 8556 "$picture ! avenc_mpeg4 bitrate=40000 gop-size=10 ! rtpmp4vpay name=pay0 pt=96 \
    $sound,rate=8000 ! audioconvert ! rtpL16pay name=pay1 pt=97"
serve rtsp-vp8-g722 8557 "$picture ! vp8enc deadline=1 target-bitrate=40000 keyframe-max-dist=10 \
    ! rtpvp8pay name=pay0 pt=96 $sound,rate=16000 ! avenc_g722 ! rtpg722pay name=pay1 pt=9"
serve rtsp-jpeg-pcma 8558 "$picture ! jpegenc quality=30 ! rtpjpegpay name=pay0 pt=26 \
    $sound,rate=8000 ! alawenc ! rtppcmapay name=pay1 pt=8"
