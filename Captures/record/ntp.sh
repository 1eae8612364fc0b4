#!/bin/bash
# chrony as server and client, and one request of ntpdig: needs the Debian packages chrony and ntpsec-ntpdig in addition
# to install.sh. No clock is changed: both chronyd run with -x.
. "$(dirname "$0")/common.sh"
two_hosts

# start_chronyd NAME HOST LINE…: chronyd with its own configuration.
start_chronyd() {
    local name=$1 host=$2
    shift 2
    mkdir -p "$work/$name"
    printf '%s\n' "$@" "pidfile $work/$name/pid" "bindcmdaddress /" "cmdport 0" >"$work/$name/conf"
    background "$name" "$host" chronyd -x -d -u root -f "$work/$name/conf"
}

wait_for_datagrams() {
    local tries
    for tries in $(seq 100); do
        if in_host "$1" ss -Hlun "sport = :$2" | grep -q .; then return; fi
        sleep 0.1
    done
    echo "nothing listens on port $2" >&2
    return 1
}

# A synchronized server, which also broadcasts, and an unsynchronized one on another port.
start_chronyd known server "local stratum 3" "allow" "broadcast 4 10.77.0.255"
start_chronyd unknown server "port 10123" "allow"
wait_for_datagrams server 123
wait_for_datagrams server 10123
sleep 1

start_capture client ntp/ntp.pcap -i eth0 udp
in_host client ntpdig "$server" >"$work/ntpdig.log" 2>&1
in_host client ntpdig "fd77::2" >"$work/ntpdig6.log" 2>&1
start_chronyd lost client "server $server port 10123 iburst"
start_chronyd client client "server $server iburst" "peer fd77::2 minpoll 2 maxpoll 2"
sleep 9
stop_capture
