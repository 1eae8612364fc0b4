#!/bin/bash
# Transport streams in UDP with what broadcasters add: ffmpeg with two named services and a network at a constant bit rate,
# and GStreamer with DVB subtitles, teletext and KLV (of meaningless content), as its multiplexer describes them: version 1.22
# describes teletext as DVB subtitles.
. "$(dirname "$0")/common.sh"
two_hosts

start_capture client rtp/mpegts-services.pcap -i eth0 udp
in_host server ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=160x120:rate=25 -f lavfi -i sine=frequency=440 \
    -f lavfi -i testsrc=size=160x120:rate=25 -f lavfi -i sine=frequency=660 -t 3 -map 0 -map 1 -map 2 -map 3 \
    -c:v libx264 -preset veryfast -bf 2 -g 25 -b:v 60k -pix_fmt yuv420p -c:a mp2 -b:a 32k \
    -metadata:s:1 language=eng -metadata:s:3 language=deu \
    -program title=First:program_num=101:st=0:st=1 -program title=Zürich:program_num=102:st=2:st=3 \
    -metadata:p:0 service_provider=Weir -metadata:p:1 service_provider=Weir \
    -f mpegts -mpegts_flags nit -mpegts_transport_stream_id 7 -mpegts_original_network_id 0x3001 -muxrate 420k \
    "udp://$client:5072?pkt_size=1316&bitrate=420000" >"$work/sender.log" 2>&1
stop_capture

head -c 40000 /dev/zero | tr '\0' 'T' >"$work/page"
start_capture client rtp/mpegts-subtitles.pcap -i eth0 udp
in_host server timeout 20 gst-launch-1.0 -q mpegtsmux name=mux alignment=7 ! udpsink host="$client" port=5074 \
    videotestsrc num-buffers=50 is-live=true ! video/x-raw,width=160,height=120,framerate=25/1 \
    ! x264enc tune=zerolatency bitrate=80 key-int-max=25 ! mux. \
    filesrc location="$work/page" blocksize=400 num-buffers=20 ! application/x-teletext ! mux. \
    filesrc location="$work/page" blocksize=300 num-buffers=6 ! subpicture/x-dvb ! mux. \
    filesrc location="$work/page" blocksize=100 num-buffers=6 ! meta/x-klv,parsed=true ! mux. >"$work/sender.log" 2>&1
stop_capture
