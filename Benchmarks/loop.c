// The reference of every ratio: reads a file with libpcap and counts packets in a callback.

#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>

static uint64_t packets, bytes;

static void count(u_char *unused, const struct pcap_pkthdr *header, const u_char *frame) {
    (void)unused;
    (void)frame;
    packets++;
    bytes += header->caplen;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: loop FILE\n");
        return 64;
    }
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *capture = pcap_open_offline(argv[1], error);
    if (!capture) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    if (pcap_loop(capture, -1, count, NULL) != 0) {
        pcap_perror(capture, argv[1]);
        return 2;
    }
    pcap_close(capture);
    printf("%" PRIu64 " packets, %" PRIu64 " bytes\n", packets, bytes);
    return 0;
}
