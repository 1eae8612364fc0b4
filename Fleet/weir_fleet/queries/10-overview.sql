-- title: The fleet
-- text: What was analyzed, by site.
SELECT site,
       count(*) AS captures,
       round(sum(bytes) / 1e6, 1) AS megabytes,
       round(sum(durationSeconds) / 60e0, 1) AS minutes,
       sum(errors) AS errors,
       sum(warnings) AS warnings,
       min(date) AS first_day,
       max(date) AS last_day
FROM captures
GROUP BY site
ORDER BY site
