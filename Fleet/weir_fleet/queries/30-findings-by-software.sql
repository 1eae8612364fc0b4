-- title: Findings by peer software
-- text: Which software violates which rule, in how many captures, since when. A finding of a session counts for both of its peers: its message names the side.
SELECT f.rule,
       f.severity,
       coalesce(p.clientEvidence, 'unknown') AS client,
       coalesce(p.serverEvidence, 'unknown') AS server,
       count(*) AS findings,
       count(DISTINCT f.capture) AS captures,
       min(f.date) AS first_day,
       max(f.date) AS last_day,
       min(f.reference) AS reference
FROM findings f
LEFT JOIN sessions p ON p.capture = f.capture AND p.site = f.site AND p.session = f.session
WHERE f.verdict = 'fail' AND f.waivedBy IS NULL AND f.severity <> 'note'
GROUP BY f.rule, f.severity, p.clientEvidence, p.serverEvidence
ORDER BY captures DESC, findings DESC, f.rule, client, server
LIMIT 100
