#!/bin/sh
# Makes what compose.yaml needs in ./secrets, once: what is there stays.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

make_password() {
	[ -s "$1" ] || head -c 24 /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_' >"$1"
}

make_password postgres-password
make_password owner-password
make_password service-password
printf 'postgres://tidewaiter_owner:%s@database:5432/tidewaiter?sslmode=disable' "$(cat owner-password)" >database-owner-url
printf 'postgres://tidewaiter:%s@database:5432/tidewaiter?sslmode=disable' "$(cat service-password)" >database-url
[ -s master-key ] || docker run --rm tidewaiter config new-master-key >master-key

# Containers run as users of their own and must read the files; nobody else gets
# into the folder.
chmod 644 ./*
