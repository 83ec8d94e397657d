-- +goose Up
-- What an edition of the tariff holds, as JSON: days and sources of both services, and how many measures. Editions of older
-- programs have none.
ALTER TABLE tariff_versions ADD COLUMN holds TEXT NULL;
-- Which stored things name an edition of the tariff, so that it is kept as long as they are.
CREATE TABLE tariff_uses (
    org_id  UUID   NOT NULL,
    used_by TEXT   NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (org_id, used_by, version)
);
CREATE INDEX tariff_uses_version ON tariff_uses (version);
-- Which changes of the tariff an organisation has been told of. A pair names the contents of two editions.
CREATE TABLE tariff_alerts (
    org_id       UUID    NOT NULL,
    pair         TEXT    NOT NULL,
    from_version BIGINT  NOT NULL,
    to_version   BIGINT  NOT NULL,
    products     BIGINT  NOT NULL,
    raised_at    INSTANT NOT NULL,
    PRIMARY KEY (org_id, pair)
);
