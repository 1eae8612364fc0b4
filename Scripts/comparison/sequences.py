"""Counts RTP sequence numbers the way RFC 3550 §A.1 and §A.3 extend them, independently of both analyzers."""


class SequenceCount:
    def __init__(self):
        self.seen = 0
        self.repeats = 0
        self._numbers = set()           # extended, so wraps do not collide
        self._packets = set()           # (extended sequence, IP id): equal pairs are capture duplicates
        self._arrived_first = None
        self._arrived_last = None
        self._highest = None

    def add(self, sequence, ip_id=""):
        if self._highest is None:
            extended = 0x10000 + sequence       # space for packets from before the first
            self._arrived_first = sequence
            self._highest = extended
        else:
            step = (sequence - self._highest) & 0xFFFF
            extended = self._highest + (step if step < 0x8000 else step - 0x10000)
            self._highest = max(self._highest, extended)
        self._arrived_last = sequence
        self.seen += 1
        self._numbers.add(extended)
        identity = (extended, ip_id)
        self.repeats += identity in self._packets
        self._packets.add(identity)

    @property
    def expected(self):
        return max(self._numbers) - min(self._numbers) + 1

    @property
    def lost(self):
        return self.expected - len(self._numbers)

    @property
    def firsts(self):
        return (self._arrived_first, min(self._numbers) & 0xFFFF)

    @property
    def lasts(self):
        return (self._highest & 0xFFFF, self._arrived_last)
