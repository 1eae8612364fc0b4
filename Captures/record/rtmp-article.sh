#!/bin/bash
# The publishers of two articles (rtmp_article_client.py) against nginx-rtmp. The link has an MTU of 2000 octets,
# so that the server's first two responses arrive as in the first article's log: 1537 octets, then 1536.
# The server's side is slow (1 Mbit/s), so that they arrive one after the other.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
in_host client ip link set eth0 mtu 2000
in_host server ip link set eth0 mtu 2000
in_host server tc qdisc add dev eth0 root tbf rate 1mbit burst 2100 latency 1s
rtmp_server

article() {
    in_host client $python "$record/rtmp_article_client.py" "$@" >"$work/client.log" 2>&1 || true
    tail -n 1 "$work/client.log"
}

start_capture client rtmp/article-handshake.pcap -i eth0
article handshake rtmp://$server/live/2005
stop_capture

# A delayed run loop: S0, S1 and S2 are read together.
start_capture client rtmp/article-publish.pcap -i eth0
article publish rtmp://$server/live/2005 --wait 0.05
stop_capture

# The same code when S1 and S2 arrive separately.
start_capture client rtmp/article-publish-stalled.pcap -i eth0
article publish rtmp://$server/live/2005
stop_capture

# With media, sent right after publish: the server's hook takes half a second to permit it.
background hook server $python "$record/slow_hook.py" 8082 0.5
wait_for_port server 8082
make_flv "$work/film.flv" 3
start_capture client rtmp/article-publish-media.pcap -i eth0
article publish rtmp://$server/asking/2005 "$work/film.flv" --wait 0.05 --seconds 0.5
stop_capture
