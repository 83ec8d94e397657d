-- +goose NO TRANSACTION
-- +goose Up
-- Each table becomes the partition of the past of a partitioned one, in three steps, of
-- which none keeps others waiting: an end that no row reaches is declared, then proved
-- beside those who write, then the tables change places. What was broken off is begun
-- anew. Five days at least are left until the first partition by age begins.
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
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT IF EXISTS before_partitions', here.parent);
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT before_partitions CHECK (%I < %L) NOT VALID', here.parent, here.age, until);
        COMMIT;
        EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT before_partitions', here.parent);
        COMMIT;
        PERFORM partition_table(here.parent, here.age, until);
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
    PERFORM set_config('tidewaiter.org', '*', true);
    FOR ahead IN 0..2 LOOP
        PERFORM make_partition('deliveries', now() + ahead * interval '1 month');
        PERFORM make_partition('notices', now() + ahead * interval '1 month');
    END LOOP;
    FOR ahead IN 0..1 LOOP
        PERFORM make_partition('events', now() + ahead * interval '1 year');
    END LOOP;
END $$;
-- +goose StatementEnd
