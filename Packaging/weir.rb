# Homebrew formula, from source: `brew install --build-from-source ./weir.rb`, with the archive of a release.
# Scripts/release writes url and sha256.
class Weir < Formula
  desc "Analyzer of packet captures of streaming media"
  homepage "https://example.org/weir"
  url "https://example.org/weir/weir-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"
  head "https://example.org/weir.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libyaml"
  depends_on macos: :sequoia
  depends_on "zstd"
  uses_from_macos "libpcap"
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "weir"
    bin.install ".build/release/weir"
    generate_completions_from_executable(bin/"weir", "--generate-completion-script")
  end

  test do
    (testpath/"empty.pcap").binwrite [0xa1b2c3d4, 2, 4, 0, 0, 65535, 1].pack("VvvVVVV")
    assert_match "0 packets", shell_output("#{bin}/weir #{testpath}/empty.pcap")
  end
end
