-- title: Captures that could not be read to their end
-- text: Each with the reason.
SELECT status, error, site, file, damageFrame AS damage_frame
FROM captures
WHERE status <> 'complete'
ORDER BY status, site, file
LIMIT 200
