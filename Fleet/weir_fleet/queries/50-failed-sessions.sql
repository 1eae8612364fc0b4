-- title: Sessions refused or failed, by cause
-- text: The most certain cause of each session that failed, with an example.
-- plot: bars label=cause value=sessions
SELECT cause,
       causeVerdict AS verdict,
       kind,
       count(*) AS sessions,
       count(DISTINCT site) AS sites,
       count(DISTINCT clientAddress) AS clients,
       min(date) AS first_day,
       max(date) AS last_day,
       min(causeText) AS example
FROM sessions
WHERE cause IS NOT NULL
GROUP BY cause, causeVerdict, kind
ORDER BY sessions DESC, cause, verdict, kind
