# Sourced by every recording script: network namespaces, peers, tcpdump, cleanup.
#
# Two hosts on one link: the client (10.77.0.1, fd77::1) and the server (10.77.0.2, fd77::2), each a network
# namespace with one Ethernet interface called eth0. All processes of a script run in these namespaces and end
# with the script.

set -euo pipefail

record=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
captures=$(dirname "$record")
work=$(mktemp -d)
chmod 755 "$work" # servers that refuse to run as root read their input here
client=10.77.0.1
server=10.77.0.2
namespaces=()
recorders=()
python=/usr/bin/python3

clean_up() {
    local status=$? name pid
    set +e
    for name in "${namespaces[@]}"; do
        for pid in $(ip netns pids "$name"); do kill "$pid" 2>/dev/null; done
    done
    sleep 0.3
    for name in "${namespaces[@]}"; do
        for pid in $(ip netns pids "$name"); do kill -KILL "$pid" 2>/dev/null; done
        ip netns delete "$name"
        rm -rf "/etc/netns/$name"
    done
    if [ "$status" != 0 ]; then tail -n 20 "$work"/*.log >&2; fi
    rm -rf "$work"
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# in_host HOST COMMAND…: runs a command inside the namespace of client, server or middle.
in_host() {
    local host=$1
    shift
    ip netns exec "weir-$host-$$" "$@"
}

add_host() {
    ip netns add "weir-$1-$$"
    namespaces+=("weir-$1-$$")
    in_host "$1" ip link set lo up
}

# link HOST INTERFACE HOST INTERFACE: a link between two hosts, without offloading, so that frames are as on a wire.
link() {
    ip link add "$2" netns "weir-$1-$$" type veth peer name "$4" netns "weir-$3-$$"
    bring_up "$1" "$2"
    bring_up "$3" "$4"
}

bring_up() {
    in_host "$1" ethtool -K "$2" tx off rx off tso off gso off gro off sg off >/dev/null
    in_host "$1" ip link set "$2" up
}

address() {
    local host=$1 last=$2
    in_host "$host" ip link set eth0 address "02:00:0a:4d:00:0$last"
    in_host "$host" ip address add "10.77.0.$last/24" dev eth0
    in_host "$host" ip address add "fd77::$last/64" dev eth0 nodad
    in_host "$host" ip route add 224.0.0.0/4 dev eth0
}

two_hosts() {
    add_host client
    add_host server
    link client eth0 server eth0
    address client 1
    address server 2
}

# The same two hosts with a third between them, which has the interfaces left0 and right0 and forwards nothing by
# itself.
two_hosts_and_middle() {
    add_host client
    add_host middle
    add_host server
    link client eth0 middle left0
    link middle right0 server eth0
    address client 1
    address server 2
}

# call_server NAME…: the client resolves these names to the server.
call_server() {
    mkdir -p "/etc/netns/weir-client-$$"
    (
        cat /etc/hosts
        printf '%s %s\n' "$server" "$*"
    ) >"/etc/netns/weir-client-$$/hosts"
}

# certificate NAME: a self-signed certificate, in cert.pem and key.pem.
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" -keyout "$work/key.pem" -out "$work/cert.pem" \
        2>/dev/null
}

# background LOG HOST COMMAND…: starts a command in a host and sets $started to its process id.
background() {
    local log=$1 host=$2
    shift 2
    # Not through in_host: a function in the background is a subshell, whose id is not the command's.
    ip netns exec "weir-$host-$$" "$@" >"$work/$log.log" 2>&1 &
    started=$!
}

wait_for_port() {
    local tries
    for tries in $(seq 100); do
        if in_host "$1" ss -Hltn "sport = :$2" | grep -q .; then return; fi
        sleep 0.1
    done
    echo "nothing listens on port $2" >&2
    return 1
}

# start_capture HOST FILE TCPDUMP-OPTIONS…: returns once tcpdump is capturing.
start_capture() {
    local host=$1 file=$2 tries
    shift 2
    mkdir -p "$(dirname "$captures/$file")"
    : >"$work/tcpdump.log" # discard the output of an earlier tcpdump
    background tcpdump "$host" tcpdump -Z root --immediate-mode -U -n -w "$captures/$file" "$@"
    recorders+=("$started")
    for tries in $(seq 50); do
        if grep -q 'listening on' "$work/tcpdump.log"; then return; fi
        sleep 0.1
    done
    return 1
}

stop_capture() {
    local pid
    sleep 0.5
    for pid in "${recorders[@]}"; do
        kill -TERM "$pid" # not INT, which background jobs of a shell ignore
        wait "$pid" || true
    done
    recorders=()
}

# gst_server OPTIONS…: the GStreamer RTSP server on port 554, unless --port says otherwise.
gst_server() {
    local port=554
    case "$*" in *--port*) port=$(sed 's/.*--port *\([0-9]*\).*/\1/' <<<"$*") ;; esac
    background server server $python "$record/gst_server.py" "$@"
    gst_server_pid=$started
    wait_for_port server "$port"
}

gst_client() {
    in_host client timeout 60 $python "$record/gst_client.py" "$@" >"$work/client.log" 2>&1
}

ffmpeg_client() {
    in_host client timeout 60 ffmpeg -nostdin -v warning "$@" >"$work/client.log" 2>&1
}

# A short video file without B-frames, with a key frame per second, for servers that need a file.
make_film() {
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 \
        -f lavfi -i sine=frequency=440:sample_rate=8000 \
        -t "${2:-30}" -c:v libx264 -preset veryfast -bf "${3:-0}" -g 10 -b:v 40k -pix_fmt yuv420p \
        -c:a aac -b:a 16k "$1"
}
