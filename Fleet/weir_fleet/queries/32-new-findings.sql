-- title: New findings
-- text: Defects that were first seen on or after the day given with --since, by fingerprint.
SELECT rule,
       min(severity) AS severity,
       min(date) AS first_day,
       count(DISTINCT capture) AS captures,
       count(DISTINCT site) AS sites,
       min(message) AS example,
       min(reference) AS reference,
       fingerprint
FROM findings
WHERE verdict = 'fail' AND waivedBy IS NULL AND severity <> 'note'
GROUP BY rule, fingerprint
HAVING min(date) >= CAST(:since AS date)
ORDER BY captures DESC, rule, fingerprint
LIMIT 100
