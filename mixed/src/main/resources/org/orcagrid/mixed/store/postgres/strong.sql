-- What a linearizable store keeps. It may be run again.
SELECT pg_advisory_xact_lock(7310);

CREATE TABLE IF NOT EXISTS orca_objects (
  key text PRIMARY KEY,
  value bytea,
  version bigint NOT NULL,
  context bytea
);

-- Decisions and parts; of those that are not done, the intent, too.
CREATE TABLE IF NOT EXISTS orca_transactions (
  id text PRIMARY KEY,
  millis bigint NOT NULL,
  answer text NOT NULL,
  intent bytea,
  keys text[],
  versions bigint[]
);
CREATE INDEX IF NOT EXISTS orca_open ON orca_transactions (millis) WHERE intent IS NOT NULL;
CREATE INDEX IF NOT EXISTS orca_old ON orca_transactions (millis);

CREATE TABLE IF NOT EXISTS orca_floors (name text PRIMARY KEY, millis bigint NOT NULL);
INSERT INTO orca_floors VALUES ('refused', -1), ('parts', -1), ('forgotten', -1)
  ON CONFLICT DO NOTHING;

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
    WHERE f.name = 'parts'
      AND (regexp_match(u.i, '-([0-9]+)-[0-9a-f]+$'))[1]::bigint <= f.millis
$$;

-- Commits what was written if versions are those that were read, and remembers that.
CREATE OR REPLACE FUNCTION orca_commit(
  p_id text, p_millis bigint, p_prepares boolean, p_intent bytea,
  p_read text[], p_versions bigint[],
  p_keys text[], p_values bytea[], p_contexts bytea[],
  OUT answer text, OUT keys text[], OUT versions bigint[])
LANGUAGE plpgsql AS $$
DECLARE
  forgotten bigint;
  refused bigint;
BEGIN
  SELECT t.answer, t.keys, t.versions INTO answer, keys, versions
    FROM orca_transactions t WHERE t.id = p_id;
  IF FOUND THEN
    IF p_prepares AND answer <> 'DONE' THEN
      answer := 'CONFLICT';
    END IF;
    RETURN;
  END IF;
  SELECT max(f.millis) FILTER (WHERE f.name = 'forgotten'),
         max(f.millis) FILTER (WHERE f.name = 'refused')
    INTO forgotten, refused FROM orca_floors f;
  IF p_millis <= forgotten THEN
    answer := 'FORGOTTEN';
    RETURN;
  ELSIF p_millis <= refused THEN
    answer := 'NEVER';
    RETURN;
  END IF;
  IF NOT orca_unchanged(p_read, p_versions) THEN
    answer := 'CONFLICT';
    IF NOT p_prepares THEN
      INSERT INTO orca_transactions (id, millis, answer) VALUES (p_id, p_millis, answer);
    END IF;
    RETURN;
  END IF;
  WITH written AS (
    INSERT INTO orca_objects AS o (key, value, version, context)
      SELECT w.k, w.v, 1, w.c FROM unnest(p_keys, p_values, p_contexts) AS w(k, v, c)
      ON CONFLICT (key) DO UPDATE
        SET value = excluded.value, version = o.version + 1, context = excluded.context
      RETURNING o.key, o.version)
  SELECT array_agg(w.key), array_agg(w.version) INTO keys, versions FROM written w;
  answer := 'DONE';
  INSERT INTO orca_transactions (id, millis, answer, intent, keys, versions)
    VALUES (p_id, p_millis, answer, p_intent, keys, versions);
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
  IF p_millis <= (SELECT f.millis FROM orca_floors f WHERE f.name = 'forgotten') THEN
    answer := 'FORGOTTEN';
    RETURN;
  END IF;
  answer := 'NEVER';
  INSERT INTO orca_transactions (id, millis, answer) VALUES (p_id, p_millis, answer);
END
$$;
