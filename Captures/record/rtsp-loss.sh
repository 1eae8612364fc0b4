#!/bin/bash
# A path and a tap that lose packets; lost, delayed and duplicated packets are listed in NAME.truth.jsonl. GStreamer
# serves, relay.py runs between the hosts, ffmpeg plays, and the capture is taken at the receiving client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle
ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=320x240:rate=20 -f lavfi -i sine=sample_rate=16000 -t 8 \
    -c:v libx264 -preset veryfast -bf 0 -g 20 -b:v 160k -pix_fmt yuv420p -c:a aac -b:a 16k "$work/film.mp4"
gst_server --film "$work/film.mp4"

relay() {
    local name=$1
    shift
    background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtsp/$name.truth.jsonl" "$@"
    relay_pid=$started
    until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
}

end_relay() {
    kill "$relay_pid"
    wait "$relay_pid" || true
}

relay rtsp-loss-udp --mode udp --seed 7 --skip 10 --hold 0.25 --drop 0.05 --delay 0.05 --double 0.04
start_capture client rtsp/rtsp-loss-udp.pcap -i eth0
ffmpeg_client -rtsp_transport udp -reorder_queue_size 50 -i rtsp://$server/live -t 7 -f null -
stop_capture
end_relay

relay rtsp-loss-tcp --mode tcp --seed 8 --skip 8 --drop 0.05 --delay 0.06
start_capture client rtsp/rtsp-loss-tcp.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/live -t 4 -f null -
stop_capture
end_relay

relay rtsp-loss-tap --mode tcp
start_capture client rtsp/rtsp-loss-tap.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/live -t 4 -f null -
stop_capture
end_relay
mv "$captures/rtsp/rtsp-loss-tap.pcap" "$work/whole.pcap"
$python "$record/drop_frames.py" "$work/whole.pcap" "$captures/rtsp/rtsp-loss-tap.pcap" \
    "$captures/rtsp/rtsp-loss-tap.truth.jsonl" 554 9 6 3
