-- What an instance of a causal store keeps. It may be run again.
SET LOCAL lock_timeout = '5s';
SELECT pg_advisory_xact_lock(7310);

-- Whose instance it is.
CREATE TABLE IF NOT EXISTS orca_instance (one boolean PRIMARY KEY CHECK (one), grp text NOT NULL);

-- Of each object, what was written last by instances that did not know of each other.
CREATE TABLE IF NOT EXISTS orca_rows (
  key text NOT NULL,
  grp text NOT NULL,
  sequence bigint NOT NULL,
  clock jsonb NOT NULL,
  value bytea,
  context bytea,
  PRIMARY KEY (key, grp)
);

-- How much it has of each group. Who writes holds its own group's row.
CREATE TABLE IF NOT EXISTS orca_counts (grp text PRIMARY KEY, count bigint NOT NULL);

-- What others have, and up to when they have forgotten.
CREATE TABLE IF NOT EXISTS orca_peers (
  grp text PRIMARY KEY, clock jsonb NOT NULL, floor bigint NOT NULL);

-- Its own batches that others may not have.
CREATE TABLE IF NOT EXISTS orca_batches (
  sequence bigint PRIMARY KEY,
  clock jsonb NOT NULL,
  id text,
  millis bigint NOT NULL,
  floor bigint NOT NULL,
  keys text[] NOT NULL,
  vals bytea[] NOT NULL,
  contexts bytea[] NOT NULL
);

-- Transactions that have a part here.
CREATE TABLE IF NOT EXISTS orca_parts (
  id text PRIMARY KEY, millis bigint NOT NULL, clock jsonb NOT NULL);
DO $$ BEGIN
  IF to_regclass('orca_parts_old') IS NULL THEN
    CREATE INDEX orca_parts_old ON orca_parts (millis);
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS orca_decisions (
  id text PRIMARY KEY, millis bigint NOT NULL, answer text NOT NULL, intent bytea);
DO $$ BEGIN
  IF to_regclass('orca_open') IS NULL THEN
    CREATE INDEX orca_open ON orca_decisions (millis) WHERE intent IS NOT NULL;
  END IF;
END $$;
DO $$ BEGIN
  IF to_regclass('orca_old') IS NULL THEN
    CREATE INDEX orca_old ON orca_decisions (millis);
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS orca_floors (name text PRIMARY KEY, millis bigint NOT NULL);
INSERT INTO orca_floors VALUES ('refused', -1), ('forgotten', -1) ON CONFLICT DO NOTHING;

-- Makes it a group's instance, unless it is another one's; whose it is.
CREATE OR REPLACE FUNCTION orca_begin(p_grp text, p_grps text[]) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO orca_instance VALUES (true, p_grp) ON CONFLICT DO NOTHING;
  IF p_grp <> (SELECT grp FROM orca_instance) THEN
    RETURN (SELECT grp FROM orca_instance);
  END IF;
  INSERT INTO orca_counts SELECT g, 0 FROM unnest(p_grps) AS g ON CONFLICT DO NOTHING;
  INSERT INTO orca_peers SELECT g, '{}', -1 FROM unnest(p_grps) AS g WHERE g <> p_grp
    ON CONFLICT DO NOTHING;
  INSERT INTO orca_peers VALUES (p_grp, '{}', -1) ON CONFLICT DO NOTHING;
  RETURN (SELECT grp FROM orca_instance);
END
$$;

CREATE OR REPLACE FUNCTION orca_now() RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(jsonb_object_agg(grp, count), '{}') FROM orca_counts WHERE count > 0
$$;

-- Adds a batch of its own.
CREATE OR REPLACE FUNCTION orca_add(
  p_grp text, p_id text, p_millis bigint, p_keys text[], p_values bytea[], p_contexts bytea[])
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_sequence bigint;
  v_clock jsonb;
BEGIN
  UPDATE orca_counts SET count = count + 1 WHERE grp = p_grp RETURNING count INTO v_sequence;
  v_clock := orca_now();
  DELETE FROM orca_rows WHERE key = ANY (p_keys);
  INSERT INTO orca_rows (key, grp, sequence, clock, value, context)
    SELECT w.k, p_grp, v_sequence, v_clock, w.v, w.c
      FROM unnest(p_keys, p_values, p_contexts) AS w(k, v, c);
  INSERT INTO orca_batches
    SELECT v_sequence, v_clock, p_id, p_millis, p.floor, p_keys, p_values, p_contexts
      FROM orca_peers p
      WHERE p.grp = p_grp AND EXISTS (SELECT 1 FROM orca_peers o WHERE o.grp <> p_grp);
  IF p_id IS NOT NULL THEN
    INSERT INTO orca_parts VALUES (p_id, p_millis, v_clock);
  END IF;
  UPDATE orca_peers SET clock = v_clock WHERE grp = p_grp;
  RETURN v_clock;
END
$$;

-- Commits a part: as decided elsewhere, or deciding it.
CREATE OR REPLACE FUNCTION orca_take_part(
  p_id text, p_millis bigint, p_decides boolean, p_intent bytea,
  p_after jsonb, p_pending text[],
  p_seen_keys text[], p_seen text[],
  p_keys text[], p_values bytea[], p_contexts bytea[], p_grp text,
  OUT answer text, OUT clock jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM orca_counts WHERE grp = p_grp FOR UPDATE;
  SELECT p.clock INTO clock FROM orca_parts p WHERE p.id = p_id;
  IF FOUND THEN
    answer := 'DONE';
    RETURN;
  END IF;
  clock := '{}';
  IF p_decides THEN
    SELECT d.answer INTO answer FROM orca_decisions d WHERE d.id = p_id;
    IF FOUND THEN
      RETURN;
    ELSIF p_millis <= (SELECT f.millis FROM orca_floors f WHERE f.name = 'forgotten') THEN
      answer := 'FORGOTTEN';
      RETURN;
    ELSIF p_millis <= (SELECT f.millis FROM orca_floors f WHERE f.name = 'refused') THEN
      answer := 'NEVER';
      RETURN;
    END IF;
  ELSIF p_millis <= (SELECT p.floor FROM orca_peers p WHERE p.grp = p_grp) THEN
    answer := 'DONE';
    RETURN;
  END IF;
  IF EXISTS (
       SELECT 1 FROM jsonb_each_text(p_after) AS a(g, c)
         LEFT JOIN orca_counts o ON o.grp = a.g WHERE coalesce(o.count, 0) < a.c::bigint)
     OR EXISTS (
       SELECT 1 FROM unnest(p_pending) AS u(i)
         WHERE NOT EXISTS (SELECT 1 FROM orca_parts p WHERE p.id = u.i)
           AND (regexp_match(u.i, '-([0-9]+)-[0-9a-f]+$'))[1]::bigint
             > (SELECT min(floor) FROM orca_peers))
  THEN
    answer := 'CONFLICT';
    IF p_decides THEN
      INSERT INTO orca_decisions (id, millis, answer) VALUES (p_id, p_millis, answer);
    END IF;
    RETURN;
  END IF;
  IF (SELECT count(*) FILTER (WHERE NOT r.grp || ':' || r.sequence || ':' || r.key = ANY (p_seen))
             + cardinality(p_seen) - count(*)
        FROM orca_rows r WHERE r.key = ANY (p_seen_keys)) <> 0
  THEN
    answer := 'AGAIN';
    RETURN;
  END IF;
  answer := 'DONE';
  clock := orca_add(p_grp, p_id, p_millis, p_keys, p_values, p_contexts);
  IF p_decides THEN
    INSERT INTO orca_decisions VALUES (p_id, p_millis, answer, p_intent);
  END IF;
END
$$;

-- Whether it has decided; if not, it never will.
CREATE OR REPLACE FUNCTION orca_fence(p_id text, p_millis bigint, OUT answer text, OUT clock jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM orca_counts c, orca_instance i WHERE c.grp = i.grp FOR UPDATE OF c;
  clock := coalesce((SELECT p.clock FROM orca_parts p WHERE p.id = p_id), '{}');
  SELECT d.answer INTO answer FROM orca_decisions d WHERE d.id = p_id;
  IF FOUND THEN
    IF answer <> 'DONE' THEN
      answer := 'NEVER';
    END IF;
  ELSIF p_millis <= (SELECT f.millis FROM orca_floors f WHERE f.name = 'forgotten') THEN
    answer := 'FORGOTTEN';
  ELSE
    answer := 'NEVER';
    INSERT INTO orca_decisions (id, millis, answer) VALUES (p_id, p_millis, answer);
  END IF;
END
$$;

-- Takes another instance's batch, or has it; false if something is missing that comes first.
CREATE OR REPLACE FUNCTION orca_take_batch(
  p_grp text, p_sequence bigint, p_clock jsonb, p_id text, p_millis bigint, p_floor bigint,
  p_keys text[], p_values bytea[], p_contexts bytea[])
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  has bigint;
BEGIN
  PERFORM 1 FROM orca_counts c, orca_instance i WHERE c.grp = i.grp FOR UPDATE OF c;
  SELECT count INTO has FROM orca_counts WHERE grp = p_grp;
  IF has IS NULL THEN
    RAISE EXCEPTION 'The group % is not one of this store''s', p_grp;
  ELSIF p_sequence <= has THEN
    RETURN true;
  ELSIF p_sequence > has + 1 OR EXISTS (
    SELECT 1 FROM jsonb_each_text(p_clock) AS a(g, c)
      LEFT JOIN orca_counts o ON o.grp = a.g
      WHERE a.g <> p_grp AND coalesce(o.count, 0) < a.c::bigint)
  THEN
    RETURN false;
  END IF;
  DELETE FROM orca_rows r
    WHERE r.key = ANY (p_keys) AND r.sequence <= coalesce((p_clock ->> r.grp)::bigint, 0);
  INSERT INTO orca_rows (key, grp, sequence, clock, value, context)
    SELECT w.k, p_grp, p_sequence, p_clock, w.v, w.c
      FROM unnest(p_keys, p_values, p_contexts) AS w(k, v, c)
      WHERE NOT EXISTS (
        SELECT 1 FROM orca_rows r
          WHERE r.key = w.k AND coalesce((r.clock ->> p_grp)::bigint, 0) >= p_sequence);
  UPDATE orca_counts SET count = p_sequence WHERE grp = p_grp;
  IF p_id IS NOT NULL THEN
    INSERT INTO orca_parts VALUES (p_id, p_millis, p_clock) ON CONFLICT DO NOTHING;
  END IF;
  UPDATE orca_peers SET floor = greatest(floor, p_floor) WHERE grp = p_grp;
  DELETE FROM orca_parts WHERE p_floor > -1 AND millis <= (SELECT min(floor) FROM orca_peers);
  RETURN true;
END
$$;

-- Another instance has this much; what all have is not kept for them.
CREATE OR REPLACE FUNCTION orca_peer(p_grp text, p_clock jsonb, p_own text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  before jsonb;
BEGIN
  SELECT clock INTO before FROM orca_peers WHERE grp = p_grp;
  IF before = p_clock THEN
    RETURN;
  END IF;
  UPDATE orca_peers SET clock = (
      SELECT coalesce(jsonb_object_agg(g, c), '{}') FROM (
        SELECT key AS g, max(value::bigint) AS c FROM (
          SELECT * FROM jsonb_each_text(orca_peers.clock)
          UNION ALL SELECT * FROM jsonb_each_text(p_clock)) AS both_clocks
        GROUP BY key) AS joined)
    WHERE grp = p_grp;
  DELETE FROM orca_batches WHERE sequence <= (
    SELECT min(coalesce((clock ->> p_own)::bigint, 0)) FROM orca_peers WHERE grp <> p_own);
END
$$;

-- Takes parts from before for done, and tells others.
CREATE OR REPLACE FUNCTION orca_forget_parts(p_grp text, p_millis bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM orca_counts WHERE grp = p_grp FOR UPDATE;
  UPDATE orca_peers SET floor = greatest(floor, p_millis) WHERE grp = p_grp;
  PERFORM orca_add(p_grp, NULL, p_millis, '{}', '{}', '{}');
  DELETE FROM orca_parts WHERE millis <= (SELECT min(floor) FROM orca_peers);
END
$$;

-- Decides nothing any more that began up to then; what is deciding is waited for.
CREATE OR REPLACE FUNCTION orca_refuse(p_millis bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM orca_counts c, orca_instance i WHERE c.grp = i.grp FOR UPDATE OF c;
  UPDATE orca_floors SET millis = greatest(millis, p_millis) WHERE name = 'refused';
END
$$;
