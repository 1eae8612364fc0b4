-- title: Setup time and time to first media
-- text: Percentiles by site and kind of session, in milliseconds. A session that never got there has no time: see the refused sessions.
-- plot: bars label=place value=first_media_p95
SELECT concat(site, ' ', kind) AS place,
       count(*) AS sessions,
       count(setupTimeMs) AS set_up,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY setupTimeMs), 1) AS setup_p50,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY setupTimeMs), 1) AS setup_p95,
       round(percentile_cont(0.99) WITHIN GROUP (ORDER BY setupTimeMs), 1) AS setup_p99,
       count(timeToFirstMediaMs) AS with_media,
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY timeToFirstMediaMs), 1) AS first_media_p50,
       round(percentile_cont(0.95) WITHIN GROUP (ORDER BY timeToFirstMediaMs), 1) AS first_media_p95,
       round(percentile_cont(0.99) WITHIN GROUP (ORDER BY timeToFirstMediaMs), 1) AS first_media_p99
FROM sessions
GROUP BY site, kind
ORDER BY site, kind
