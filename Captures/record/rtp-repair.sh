#!/bin/bash
# Loss repair: ULPFEC with H.264 (RFC 5109), RIST's retransmissions, and one stream on two paths
# (SMPTE ST 2022-7). relay.py drops packets between the hosts, listed in NAME.truth.jsonl. GStreamer sends and receives. The
# captures are taken at the receiving client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle

relay() {
    local name=$1
    shift
    background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtp/$name.truth.jsonl" --mode udp "$@"
    relay_pid=$started
    until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
}

end_relay() {
    kill "$relay_pid"
    wait "$relay_pid" || true
}

video=(videotestsrc num-buffers=50 is-live=true ! video/x-raw,width=320,height=240,framerate=20/1
    ! x264enc tune=zerolatency bitrate=200 key-int-max=20 ! video/x-h264,profile=baseline)

relay rtp-ulpfec --seed 3 --skip 10 --drop 0.06
start_capture client rtp/rtp-ulpfec.pcap -i eth0 udp
in_host server gst-launch-1.0 -q "${video[@]}" ! rtph264pay pt=96 ssrc=305419897 mtu=600 \
    ! rtpulpfecenc percentage=60 percentage-important=100 pt=122 multipacket=true \
    ! udpsink host=$client port=5090 >"$work/sender.log" 2>&1
stop_capture
end_relay

relay rtp-rist --seed 6 --skip 10 --drop 0.08
start_capture client rtp/rtp-rist.pcap -i eth0 udp
background receiver client gst-launch-1.0 -q ristsrc address=0.0.0.0 port=5094 receiver-buffer=500 ! fakesink
sleep 1
in_host server timeout 20 gst-launch-1.0 -q videotestsrc num-buffers=50 is-live=true pattern=snow \
    ! video/x-raw,width=320,height=240,framerate=25/1 ! x264enc tune=zerolatency bitrate=400 key-int-max=25 \
    ! mpegtsmux alignment=7 pcr-interval=2700 ! rtpmp2tpay \
    ! ristsink address=$client port=5094 sender-buffer=1200 >"$work/sender.log" 2>&1 || true
stop_capture
kill $started 2>/dev/null || true
end_relay

relay rtp-twins --seed 5 --skip 10 --drop 0.04
start_capture client rtp/rtp-twins.pcap -i eth0 udp
in_host server gst-launch-1.0 -q audiotestsrc num-buffers=100 is-live=true samplesperbuffer=160 \
    ! audio/x-raw,rate=16000,channels=1,format=S16BE ! rtpL16pay pt=97 ssrc=305419898 max-ptime=10000000 ! tee name=both \
    both. ! queue ! udpsink host=$client port=5100 both. ! queue ! udpsink host=$client port=5200 >"$work/sender.log" 2>&1
stop_capture
end_relay
