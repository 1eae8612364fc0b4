#!/bin/bash
# Sourced by the scripts that record calls of headless browsers, signaled with JSON in WebSocket.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
two_hosts
# Without a default route, Chromium gathers no host addresses.
in_host client ip route add default via $server
in_host server ip route add default via $client
modern=$record/.venv/bin/python

# browser HOST LOG PORT ROLE WHAT SECONDS: opens the page, with Chromium's own traffic disabled. $turn is the URI of a
# relay, $policy the permitted candidates: all, or relay.
browser() {
    background "$2" "$1" timeout 40 chromium --headless=new --no-sandbox --disable-gpu --no-first-run --disable-sync \
        --disable-background-networking --disable-component-update --disable-default-apps --disable-breakpad \
        --autoplay-policy=no-user-gesture-required --enable-logging=stderr --mute-audio \
        --user-data-dir="$work/$2" "http://$server:$3/?role=$4&do=$5&seconds=$6&turn=${turn:-}&policy=${policy:-all}"
}

# firefox HOST LOG PORT ROLE WHAT SECONDS: the same with Firefox, which writes the secrets of its connections to $keylog.
firefox() {
    mkdir -p "$work/$2"
    cat >"$work/$2/user.js" <<END
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("devtools.console.stdout.content", true);
user_pref("media.autoplay.default", 0);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
END
    HOME=$work/$2 SSLKEYLOGFILE=$keylog background "$2" "$1" timeout 60 firefox-esr --headless --no-remote \
        --profile "$work/$2" "http://$server:$3/?role=$4&do=$5&seconds=$6&policy=all"
}

# call FILE ANSWERER WHAT SECONDS SERVER-OPTIONS…: one call, recorded at the client, the offerer, which is $offerer.
call() {
    local file=$1 answerer=$2 what=$3 seconds=$4 caller
    shift 4
    background signaling server "$modern" "$record/browser_signaling.py" 8080 "$answerer" "$@"
    local signaling=$started
    wait_for_port server 8080
    if [ "$answerer" = relay ]; then
        browser server callee-$what 8080 answer "$what" "$seconds"
        sleep 4
    fi
    start_capture client "webrtc/$file" -s 65535 -i eth0 "tcp port 8080 or tcp port 3478 or (udp and not port 53 and not port 1900)"
    "${offerer:-browser}" client caller-$what 8080 offer "$what" "$seconds"
    caller=$started
    for tries in $(seq 300); do
        if grep -q 'the call is over' "$work/caller-$what.log" 2>/dev/null; then break; fi
        sleep 0.1
    done
    sleep 1
    stop_capture
    kill "$caller" "$signaling"
    wait "$caller" "$signaling" 2>/dev/null || true
}
