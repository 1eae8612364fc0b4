-- title: Worst streams by unrecovered loss
-- text: Streams that lost packets which no retransmission, FEC or redundant path recovered. Packets that only the capture lost do not count.
-- plot: bars label=stream value=loss_percent
SELECT s.site,
       concat(s.sourceAddress, ' ', coalesce(s.ssrc, s.name, ''), ' ', coalesce(s.encoding, s.mediaType, s.kind)) AS stream,
       round(1e2 * s.unrecovered / s.expected, 3) AS loss_percent,
       s.unrecovered,
       s.lost,
       s.expected,
       round(s.jitterMaxMs, 1) AS jitter_max_ms,
       s.freezes,
       s.startTime AS start_time,
       c.file
FROM streams s
JOIN captures c ON c.capture = s.capture AND c.site = s.site
WHERE s.unrecovered > 0 AND s.expected > 0
ORDER BY loss_percent DESC, s.unrecovered DESC, c.file, s.stream
LIMIT 50
