# weir in a container, without root and without the toolchain. Standard input is read:
#
#   docker build -t weir . && docker run --rm -i weir - < camera.pcap
#   docker run --rm -v "$PWD:/captures:ro" weir check camera.pcap
FROM swift:6.3-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libjemalloc-dev libpcap-dev libyaml-dev libzstd-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /weir
COPY . .
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN Scripts/build-release | tail -n 1 | xargs -I{} install -s -m 0755 {} /usr/local/bin/weir

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libjemalloc2 libpcap0.8 libstdc++6 libyaml-0-2 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin weir
COPY --from=build /usr/local/bin/weir /usr/local/bin/weir
USER 10001
WORKDIR /captures
ENTRYPOINT ["weir"]
CMD ["--help"]
