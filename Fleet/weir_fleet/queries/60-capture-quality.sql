-- title: Capture quality
-- text: What the captures themselves lack: packets dropped while capturing, packets cut by the snap length, connections captured in part. A loss here is not one of the network.
SELECT site,
       count(*) AS captures,
       sum(droppedPackets) AS dropped,
       sum(truncatedPackets) AS cut_packets,
       min(snapLength) AS smallest_snap_length,
       sum(undecodedPackets) AS undecoded,
       sum(captureDuplicates) AS captured_twice,
       sum(CASE WHEN coalesce(timesBack, 0) + coalesce(wrongTimes, 0) > 0 THEN 1 ELSE 0 END) AS with_wrong_times,
       sum(CASE WHEN status = 'damaged' THEN 1 ELSE 0 END) AS damaged,
       sum(CASE WHEN status NOT IN ('complete', 'damaged') THEN 1 ELSE 0 END) AS not_analyzed
FROM captures
GROUP BY site
ORDER BY site
