#!/bin/bash
# Transports other than RTP over UDP: RTP over TCP with a length before each packet (RFC 4571), an MPEG transport
# stream in plain UDP to a host and to a group, and telephone events with PCMU (RFC 4733). GStreamer sends and
# receives RTP, ffmpeg the transport streams. The captures are taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts

start_capture client rtp/rtp-tcp-framed.pcap -i eth0 tcp
background sender server gst-launch-1.0 -q \
    videotestsrc num-buffers=40 is-live=true ! video/x-raw,width=160,height=120,framerate=10/1 \
    ! x264enc tune=zerolatency bitrate=60 key-int-max=10 ! video/x-h264,profile=baseline \
    ! rtph264pay pt=96 ssrc=287454020 ! rtpstreampay ! tcpserversink host=$server port=5060 sync-method=2 recover-policy=1
wait_for_port server 5060
in_host client timeout 20 gst-launch-1.0 -q tcpclientsrc host=$server port=5060 \
    ! application/x-rtp-stream,media=video,clock-rate=90000,encoding-name=H264,payload=96 \
    ! rtpstreamdepay ! rtph264depay ! fakesink >"$work/client.log" 2>&1 || true
stop_capture

picture=(-f lavfi -i testsrc=size=160x120:rate=25)
sound=(-f lavfi -i sine=frequency=440)
multiplex=(-c:v libx264 -preset veryfast -g 25 -b:v 150k -c:a aac -b:a 32k -f mpegts)
for pair in mpegts-udp:$client:5070 mpegts-udp-multicast:239.77.0.2:5071; do
    IFS=: read -r name address port <<<"$pair"
    start_capture client "rtp/$name.pcap" -i eth0
    background player client ffmpeg -nostdin -i "udp://$address:$port" -t 2 -f null -
    sleep 0.5
    in_host server ffmpeg -nostdin -re "${picture[@]}" "${sound[@]}" -t 2 "${multiplex[@]}" \
        "udp://$address:$port?pkt_size=1316" >"$work/sender.log" 2>&1
    stop_capture
done

start_capture client rtp/rtp-telephone-event.pcap -i eth0 udp
in_host server $python "$record/gst_dial.py" $client 5080 "15#" >"$work/sender.log" 2>&1
stop_capture
