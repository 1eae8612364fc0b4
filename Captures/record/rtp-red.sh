#!/bin/bash
# Redundancy in RTP (RFC 2198): Opus with the previous packet as redundancy, and H.264 with ULPFEC, each in RED packets
# as in WebRTC. relay.py drops packets between the hosts, listed in NAME.truth.jsonl. GStreamer sends, without a
# receiver. The captures are taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle

lossy() {
    local name=$1 port=$2
    shift 2
    background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtp/$name.truth.jsonl" --mode udp \
        --seed 4 --skip 10 --drop 0.06
    relay_pid=$started
    until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
    start_capture client "rtp/$name.pcap" -i eth0 udp
    in_host server gst-launch-1.0 -q "$@" ! udpsink host=$client port="$port" >"$work/sender.log" 2>&1
    stop_capture
    kill "$relay_pid"
    wait "$relay_pid" || true
    rm "$work/relay.log"
}

lossy rtp-red 5130 audiotestsrc num-buffers=200 is-live=true samplesperbuffer=960 \
    ! audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=24000 ! rtpopuspay pt=97 ssrc=305419900 \
    ! rtpredenc pt=100 distance=1
lossy rtp-red-ulpfec 5140 videotestsrc num-buffers=60 is-live=true ! video/x-raw,width=320,height=240,framerate=20/1 \
    ! x264enc tune=zerolatency bitrate=200 key-int-max=20 ! video/x-h264,profile=baseline \
    ! rtph264pay pt=96 ssrc=305419901 mtu=600 ! rtpulpfecenc percentage=60 percentage-important=100 pt=122 multipacket=true \
    ! rtpredenc pt=100
