#!/bin/sh
# Makes the two roles of Tidewaiter when PostgreSQL starts for the first time: the
# owner of the tables, by which nothing but migrations run, and the service's own,
# which owns nothing and cannot bypass row-level security.
set -eu

owner_password=$(cat /run/secrets/owner-password)
service_password=$(cat /run/secrets/service-password)

psql -v ON_ERROR_STOP=1 -U postgres -d postgres -v owner="$owner_password" -v service="$service_password" <<'SQL'
CREATE ROLE tidewaiter_owner LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'owner';
CREATE ROLE tidewaiter LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'service';
CREATE DATABASE tidewaiter OWNER tidewaiter_owner;
REVOKE ALL ON DATABASE tidewaiter FROM PUBLIC;
GRANT CONNECT ON DATABASE tidewaiter TO tidewaiter;
\connect tidewaiter
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO tidewaiter_owner;
GRANT USAGE ON SCHEMA public TO tidewaiter;
SQL
