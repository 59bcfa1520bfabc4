-- What a linearizable store keeps. It may be run again.
SET LOCAL lock_timeout = '5s';
SELECT pg_advisory_xact_lock(7310);

-- The rows of mapped tables have theirs here, too, without the value.
CREATE TABLE IF NOT EXISTS orca_objects (
  key text PRIMARY KEY,
  value bytea,
  version bigint NOT NULL,
  context bytea
) WITH (fillfactor = 80);

-- Decisions and parts; of those that are not done, the intent, too.
CREATE TABLE IF NOT EXISTS orca_transactions (
  id text PRIMARY KEY,
  millis bigint NOT NULL,
  answer text NOT NULL,
  intent bytea,
  keys text[],
  versions bigint[]
);
-- It would wait for what is prepared, also where there is one.
DO $$ BEGIN
  IF to_regclass('orca_open') IS NULL THEN
    CREATE INDEX orca_open ON orca_transactions (millis) WHERE intent IS NOT NULL;
  END IF;
END $$;

-- Up to when nothing is decided, parts are forgotten, and decisions.
CREATE TABLE IF NOT EXISTS orca_floors (
  one boolean PRIMARY KEY CHECK (one),
  refused bigint NOT NULL,
  parts bigint NOT NULL,
  forgotten bigint NOT NULL
);
INSERT INTO orca_floors VALUES (true, -1, -1, -1) ON CONFLICT DO NOTHING;

-- Which transaction of the database has written a row last; 0 for no row. Two that are a multiple of
-- 16777215 apart have one mark; between a read and its commit there are not so many.
CREATE OR REPLACE FUNCTION orca_mark(p_xmin xid) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(1 + p_xmin::text::bigint % 16777215, 0)
$$;

-- By how much a write raises a version: for rows of mapped tables, marks fit in between.
CREATE OR REPLACE FUNCTION orca_step(p_key text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_key LIKE 'r%' THEN 16777216 ELSE 1 END
$$;

-- Whether objects have these versions.
CREATE OR REPLACE FUNCTION orca_unchanged(p_keys text[], p_versions bigint[]) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT 1 FROM unnest(p_keys, p_versions) AS r(k, v)
      LEFT JOIN orca_objects o ON o.key = r.k
      WHERE coalesce(o.version, 0) <> r.v)
$$;

-- Which of these transactions have a part here.
CREATE OR REPLACE FUNCTION orca_parted(p_ids text[]) RETURNS TABLE(id text)
LANGUAGE sql STABLE AS $$
  SELECT t.id FROM orca_transactions t WHERE t.id = ANY (p_ids) AND t.answer = 'DONE'
  UNION
  SELECT u.i FROM unnest(p_ids) AS u(i), orca_floors f
    WHERE (regexp_match(u.i, '-([0-9]+)-[0-9a-f]+$'))[1]::bigint <= f.parts
$$;

-- Commits what was written if versions are those that were read, and remembers that. It locks its
-- keys in one order, those that are only read with others, until it ends; what it looks at after
-- that nobody changes. p_locks has all keys, p_writes which are written. Whoever has waited for a
-- while fails: what is prepared elsewhere may wait for it. What decides holds 7311, so that nothing
-- is decided any more once it is refused. made says whether it was done now. Rows of mapped tables
-- come in p_tables and the three after it; functions of each table lock, check and write them.
CREATE OR REPLACE FUNCTION orca_commit(
  p_id text, p_millis bigint, p_prepares boolean, p_intent bytea,
  p_read text[], p_versions bigint[],
  p_keys text[], p_values bytea[], p_contexts bytea[],
  p_locks bigint[], p_writes boolean[],
  p_tables text[], p_rows text[], p_marks bigint[], p_columns text[],
  OUT answer text, OUT keys text[], OUT versions bigint[], OUT made boolean)
LANGUAGE plpgsql AS $$
DECLARE
  floors orca_floors;
  i int;
  is_same boolean;
  a_table record;
BEGIN
  made := false;
  PERFORM set_config('lock_timeout', '300ms', true);
  FOR i IN 1 .. cardinality(p_locks) LOOP
    IF p_writes[i] THEN
      PERFORM pg_advisory_xact_lock(p_locks[i]);
    ELSE
      PERFORM pg_advisory_xact_lock_shared(p_locks[i]);
    END IF;
  END LOOP;
  SELECT t.answer, t.keys, t.versions INTO answer, keys, versions
    FROM orca_transactions t WHERE t.id = p_id;
  IF FOUND THEN
    IF p_prepares AND answer <> 'DONE' THEN
      answer := 'CONFLICT';
    END IF;
    RETURN;
  END IF;
  IF NOT p_prepares THEN
    PERFORM pg_advisory_xact_lock_shared(7311);
  END IF;
  SELECT * INTO floors FROM orca_floors;
  IF p_millis <= floors.forgotten THEN
    answer := 'FORGOTTEN';
    RETURN;
  ELSIF p_millis <= floors.refused THEN
    answer := 'NEVER';
    RETURN;
  END IF;
  is_same := cardinality(p_read) = 0 OR orca_unchanged(p_read, p_versions);
  FOR a_table IN
    SELECT m.t, array_agg(m.r) AS r, array_agg(m.v) AS v, array_agg(m.c) AS c
      FROM unnest(p_tables, p_rows, p_marks, p_columns) AS m(t, r, v, c) GROUP BY m.t ORDER BY m.t
  LOOP
    IF is_same THEN
      EXECUTE format('SELECT %I($1, $2, $3)', 'orca_lock_' || a_table.t) INTO is_same
        USING a_table.r, a_table.v, a_table.c;
    END IF;
  END LOOP;
  IF NOT is_same THEN
    answer := 'CONFLICT';
    IF NOT p_prepares THEN
      INSERT INTO orca_transactions (id, millis, answer) VALUES (p_id, p_millis, answer);
    END IF;
    RETURN;
  END IF;
  WITH written AS (
    INSERT INTO orca_objects AS o (key, value, version, context)
      SELECT w.k, w.v, orca_step(w.k), w.c FROM unnest(p_keys, p_values, p_contexts) AS w(k, v, c)
      ON CONFLICT (key) DO UPDATE
        SET value = excluded.value, version = o.version + orca_step(o.key),
          context = excluded.context
      RETURNING o.key, o.version)
  SELECT array_agg(w.key), array_agg(w.version) INTO keys, versions FROM written w;
  FOR a_table IN
    SELECT m.t, array_agg(m.r) AS r, array_agg(m.c) AS c
      FROM unnest(p_tables, p_rows, p_columns) AS m(t, r, c) GROUP BY m.t ORDER BY m.t
  LOOP
    EXECUTE format('SELECT %I($1, $2)', 'orca_put_' || a_table.t) USING a_table.r, a_table.c;
  END LOOP;
  answer := 'DONE';
  made := true;
  INSERT INTO orca_transactions (id, millis, answer, intent, keys, versions)
    VALUES (p_id, p_millis, answer, p_intent, keys, versions);
END
$$;

-- The same for one object, read before or not (then p_version is -1), without arrays.
CREATE OR REPLACE FUNCTION orca_commit_one(
  p_id text, p_millis bigint, p_intent bytea,
  p_key text, p_version bigint, p_value bytea, p_context bytea, p_lock bigint,
  OUT answer text, OUT version bigint)
LANGUAGE plpgsql AS $$
DECLARE
  before record;
BEGIN
  PERFORM set_config('lock_timeout', '300ms', true);
  PERFORM pg_advisory_xact_lock(p_lock);
  PERFORM pg_advisory_xact_lock_shared(7311);
  SELECT f.refused, f.forgotten, t.answer, t.versions INTO before
    FROM orca_floors f LEFT JOIN orca_transactions t ON t.id = p_id;
  IF before.answer IS NOT NULL THEN
    answer := before.answer;
    version := before.versions[1];
    RETURN;
  ELSIF p_millis <= before.forgotten THEN
    answer := 'FORGOTTEN';
    RETURN;
  ELSIF p_millis <= before.refused THEN
    answer := 'NEVER';
    RETURN;
  END IF;
  IF p_version > 0 THEN
    UPDATE orca_objects o SET value = p_value, version = p_version + 1, context = p_context
      WHERE o.key = p_key AND o.version = p_version RETURNING o.version INTO version;
  ELSIF p_version = 0 THEN
    INSERT INTO orca_objects AS o VALUES (p_key, p_value, 1, p_context)
      ON CONFLICT DO NOTHING RETURNING o.version INTO version;
  ELSE
    INSERT INTO orca_objects AS o VALUES (p_key, p_value, 1, p_context)
      ON CONFLICT (key) DO UPDATE
        SET value = excluded.value, version = o.version + 1, context = excluded.context
      RETURNING o.version INTO version;
  END IF;
  answer := CASE WHEN version IS NULL THEN 'CONFLICT' ELSE 'DONE' END;
  INSERT INTO orca_transactions VALUES (
    p_id, p_millis, answer,
    CASE WHEN version IS NULL THEN NULL ELSE p_intent END,
    ARRAY[p_key], ARRAY[version]);
END
$$;

-- Whether it has decided; if not, it never will.
CREATE OR REPLACE FUNCTION orca_fence(
  p_id text, p_millis bigint, OUT answer text, OUT keys text[], OUT versions bigint[])
LANGUAGE plpgsql AS $$
BEGIN
  SELECT t.answer, t.keys, t.versions INTO answer, keys, versions
    FROM orca_transactions t WHERE t.id = p_id;
  IF FOUND THEN
    IF answer <> 'DONE' THEN
      answer := 'NEVER';
    END IF;
    RETURN;
  END IF;
  IF p_millis <= (SELECT f.forgotten FROM orca_floors f) THEN
    answer := 'FORGOTTEN';
    RETURN;
  END IF;
  answer := 'NEVER';
  -- Waits for a commit that is under way, and fails if that is done then.
  INSERT INTO orca_transactions (id, millis, answer) VALUES (p_id, p_millis, answer);
END
$$;

-- Decides nothing any more that began up to then; what is deciding is waited for.
CREATE OR REPLACE FUNCTION orca_refuse(p_millis bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7311);
  UPDATE orca_floors SET refused = greatest(refused, p_millis);
END
$$;
