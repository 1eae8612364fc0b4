-- title: Findings over time
-- text: Errors and warnings that no waiver accepts, by day.
-- plot: bars label=day value=errors
SELECT date AS day,
       sum(CASE WHEN severity = 'error' THEN 1 ELSE 0 END) AS errors,
       sum(CASE WHEN severity = 'warning' THEN 1 ELSE 0 END) AS warnings,
       count(DISTINCT rule) AS rules
FROM findings
WHERE verdict = 'fail' AND waivedBy IS NULL AND severity <> 'note'
GROUP BY date
ORDER BY date
