-- +goose Up
-- Tables that grow for ever are partitioned by age: the trail by years, since its
-- retention ends with one and a look at one event asks every partition, what is
-- delivered by months. The service's role owns no table, so it has them made and
-- dropped by the functions below, which know the three tables and their limits.

-- +goose StatementBegin
CREATE FUNCTION partition_end(part TEXT) RETURNS TIMESTAMPTZ LANGUAGE sql STABLE AS $$
    SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([^'']+)''\)')::timestamptz FROM pg_class WHERE oid = to_regclass(part)
$$;
-- +goose StatementEnd

-- Walls and locks of a partition that somebody addresses by its own name.
-- +goose StatementBegin
CREATE FUNCTION wall_partition(parent TEXT, part TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', part);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (
        org_id::text = (SELECT current_setting(''tidewaiter.org'', true))
        OR (SELECT current_setting(''tidewaiter.org'', true)) = ''*'')', part);
    IF parent = 'events' THEN
        EXECUTE format('CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', part);
    END IF;
END $$;
-- +goose StatementEnd

-- A key is unique in its partition; over all of them the trail's is kept so by the lock
-- of its organisation, and the others are drawn at random.
-- +goose StatementBegin
CREATE FUNCTION add_partition(parent TEXT, part TEXT, bounds TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (org_id, %I)', part, CASE parent WHEN 'events' THEN 'sequence' ELSE 'id' END);
    PERFORM wall_partition(parent, part);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I %s', parent, part, bounds);
END $$;
-- +goose StatementEnd

-- Who sees a part of the rows must not judge of a whole partition.
-- +goose StatementBegin
CREATE FUNCTION must_see_all() RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('tidewaiter.org', true) IS DISTINCT FROM '*' THEN
        RAISE EXCEPTION 'a partition belongs to all organisations';
    END IF;
END $$;
-- +goose StatementEnd

-- Makes the partition of an instant, unless it is there, or rows of its time have come
-- to rest in the default partition: then they stay there with those that follow. Nobody
-- waits behind it, or is chosen as the victim of a deadlock with it: it gives up first.
-- +goose StatementBegin
CREATE FUNCTION make_partition(parent TEXT, at TIMESTAMPTZ) RETURNS TEXT LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '500ms' AS $$
DECLARE
    unit  TEXT := CASE parent WHEN 'events' THEN 'year' ELSE 'month' END;
    age   TEXT := CASE parent WHEN 'events' THEN 'occurred_at' ELSE 'created_at' END;
    since TIMESTAMPTZ := date_trunc(unit, at, 'UTC');
    until TIMESTAMPTZ := date_trunc(unit, at, 'UTC') + ('1 ' || unit)::interval;
    part  TEXT := parent || to_char(at AT TIME ZONE 'UTC', CASE unit WHEN 'year' THEN '_YYYY' ELSE '_YYYY_MM' END);
    stray BOOLEAN;
BEGIN
    IF parent NOT IN ('events', 'deliveries', 'notices') OR at > now() + interval '5 years' THEN
        RAISE EXCEPTION 'no partition of % for %', parent, at;
    END IF;
    PERFORM must_see_all();
    PERFORM pg_advisory_xact_lock(hashtextextended('tidewaiter.partitions', 0));
    since := greatest(since, partition_end(parent || '_past'));
    IF to_regclass(part) IS NOT NULL OR since >= until THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE %I >= $1 AND %I < $2)', parent || '_default', age, age) INTO stray USING since, until;
    IF stray THEN
        RETURN NULL;
    END IF;
    PERFORM add_partition(parent, part, format('FOR VALUES FROM (%L) TO (%L)', since, until));
    RETURN part;
END $$;
-- +goose StatementEnd

-- The partitions of a table that end by an instant, the oldest first.
-- +goose StatementBegin
CREATE FUNCTION old_partitions(parent TEXT, before TIMESTAMPTZ) RETURNS SETOF TEXT LANGUAGE sql STABLE AS $$
    SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(parent) AND partition_end(c.relname) <= before ORDER BY partition_end(c.relname)
$$;
-- +goose StatementEnd

-- Whether anything in a partition has to stay.
-- +goose StatementBegin
CREATE FUNCTION partition_holds(parent TEXT, part TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE stays BOOLEAN;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM holds h WHERE EXISTS (SELECT 1 FROM %I p WHERE p.org_id = h.org_id AND h.record_id IN ('''', p.resource_id)))', part) INTO stays;
    IF stays THEN
        RETURN TRUE;
    END IF;
    CASE parent
    WHEN 'events' THEN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM organisations o WHERE EXISTS (SELECT 1 FROM %I p WHERE p.org_id = o.org_id
            AND p.sequence > COALESCE((SELECT c.sequence FROM trail_cuts c WHERE c.org_id = o.org_id), 0)))', part) INTO stays;
    WHEN 'deliveries' THEN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE status = ''PENDING'')', part) INTO stays;
    WHEN 'notices' THEN
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM deliveries d JOIN %I p ON p.org_id = d.org_id AND p.id = d.notice_id WHERE d.status = ''PENDING'')', part) INTO stays;
    END CASE;
    RETURN stays;
END $$;
-- +goose StatementEnd

-- Drops a partition in which everything is old enough and nothing has to stay. Nobody
-- waits behind it: it gives up where the lock is not to be had at once.
-- +goose StatementBegin
CREATE FUNCTION drop_partition(parent TEXT, part TEXT, before TIMESTAMPTZ) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '500ms' AS $$
DECLARE least_age INTERVAL := CASE parent WHEN 'events' THEN interval '4 years' ELSE interval '7 days' END;
BEGIN
    IF parent NOT IN ('events', 'deliveries', 'notices') OR before > now() - least_age THEN
        RAISE EXCEPTION 'nothing of % is old enough', parent;
    END IF;
    PERFORM must_see_all();
    IF part NOT IN (SELECT old_partitions(parent, before)) THEN
        RETURN FALSE;
    END IF;
    LOCK TABLE holds IN SHARE MODE;
    IF partition_holds(parent, part) THEN
        RETURN FALSE;
    END IF;
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
    IF partition_holds(parent, part) THEN
        RETURN FALSE;
    END IF;
    EXECUTE format('DROP TABLE %I', part);
    RETURN TRUE;
END $$;
-- +goose StatementEnd

-- Makes a plain table the partition of the past of one that takes its name: no row is
-- moved, no index made, and whoever knows the table by its name goes on. It must be
-- certain already that all rows are older than the end. It locks that one table: an
-- event refers to its organisation by no foreign key from now on, which would lock both.
-- +goose StatementBegin
CREATE FUNCTION partition_table(parent TEXT, age TEXT, until TIMESTAMPTZ) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    past TEXT := parent || '_past';
    here RECORD;
BEGIN
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, past);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING INDEXES) PARTITION BY RANGE (%I)', parent, past, age);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT before_partitions', parent);
    FOR here IN SELECT c.relname, pg_get_indexdef(c.oid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = to_regclass(past) AND NOT i.indisunique
    LOOP
        EXECUTE format('ALTER INDEX %I RENAME TO %I', here.relname, here.relname || '_past');
        EXECUTE regexp_replace(here.definition, '^CREATE INDEX \S+ ON \S+ ', format('CREATE INDEX %I ON %I ', here.relname, parent));
    END LOOP;
    FOR here IN SELECT a.privilege_type, a.grantee::regrole::text AS grantee FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = to_regclass(past) AND a.grantee <> 0 AND a.grantee <> c.relowner
    LOOP
        EXECUTE format('GRANT %s ON %I TO %s', here.privilege_type, parent, here.grantee);
    END LOOP;
    PERFORM wall_partition(parent, parent);
    IF parent = 'events' THEN
        EXECUTE format('DROP TRIGGER events_are_never_deleted ON %I', past);
        EXECUTE 'CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_deletion()';
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, past, until);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT before_partitions', past);
    PERFORM add_partition(parent, parent || '_default', 'DEFAULT');
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE definer TEXT;
BEGIN
    FOREACH definer IN ARRAY ARRAY['make_partition(TEXT, TIMESTAMPTZ)', 'drop_partition(TEXT, TEXT, TIMESTAMPTZ)']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', definer, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd
