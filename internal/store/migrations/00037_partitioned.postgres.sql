-- +goose NO TRANSACTION
-- +goose Up
-- Each table becomes the partition of the past of a partitioned one, in three steps, of
-- which none keeps others waiting: an end that no row reaches is declared, then proved
-- beside those who write, then the tables change places. A step that does not get its
-- lock at once lets the others pass and tries again. What was broken off is begun anew.
-- Five days at least are left until the first partition by age begins.
-- +goose StatementBegin
DO $$
DECLARE
    here  RECORD;
    until TIMESTAMPTZ;
BEGIN
    FOR here IN SELECT * FROM (VALUES ('events', 'occurred_at'), ('deliveries', 'created_at'), ('notices', 'created_at')) AS t (parent, age)
        WHERE (SELECT relkind FROM pg_class WHERE oid = to_regclass(t.parent)) = 'r'
    LOOP
        PERFORM set_config('tidewaiter.org', '*', true);
        EXECUTE format('SELECT date_trunc(''month'', greatest(now(), max(%I)) + interval ''35 days'', ''UTC'') FROM %I', here.age, here.parent) INTO until;
        COMMIT;
        FOR tries IN 1..200 LOOP
            BEGIN
                SET LOCAL lock_timeout = '500ms';
                EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_partitions', here.parent);
                EXECUTE format('ALTER TABLE %I ADD CONSTRAINT before_partitions CHECK (%I < %L) NOT VALID', here.parent, here.age, until);
                EXIT;
            EXCEPTION WHEN lock_not_available THEN
                PERFORM pg_sleep(0.2);
            END;
        END LOOP;
        COMMIT;
        EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT before_partitions', here.parent);
        COMMIT;
        FOR tries IN 1..200 LOOP
            BEGIN
                SET LOCAL lock_timeout = '500ms';
                PERFORM partition_table(here.parent, here.age, until);
                EXIT;
            EXCEPTION WHEN lock_not_available THEN
                PERFORM pg_sleep(0.2);
            END;
        END LOOP;
        COMMIT;
        IF (SELECT relkind FROM pg_class WHERE oid = to_regclass(here.parent)) <> 'p' THEN
            RAISE EXCEPTION '% is in use all the time; migrate again when there is less to do', here.parent;
        END IF;
    END LOOP;
END $$;
-- +goose StatementEnd

-- One transaction each, so that none holds the lock of one table and waits for another's.
-- What is not to be had now, the service makes within the hour.
-- +goose StatementBegin
DO $$
DECLARE here RECORD;
BEGIN
    FOR here IN SELECT parent, now() + ahead * ('1 ' || unit)::interval AS at
        FROM (VALUES ('events', 'year', 1), ('deliveries', 'month', 2), ('notices', 'month', 2)) AS t (parent, unit, most), generate_series(0, most) AS ahead
    LOOP
        PERFORM set_config('tidewaiter.org', '*', true);
        BEGIN
            PERFORM make_partition(here.parent, here.at);
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd
