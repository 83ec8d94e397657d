#!/bin/sh
# Looks up the digest of each image that is built on or run, and what is checked out, and
# writes them to .env, which Compose reads. Run it again to take newer images. Nothing is
# written unless every digest is found.
set -eu
cd "$(dirname "$0")"

digest_of() {
	found=$(docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}')
	case "$found" in
	sha256:*) [ ${#found} -eq 71 ] && echo "$1@$found" && return ;;
	esac
	echo "images.sh: $1 has no digest: docker answered \"$found\"" >&2
	return 1
}

build=$(digest_of golang:1.26-bookworm)
runtime=$(digest_of gcr.io/distroless/static-debian12:nonroot)
postgres=$(digest_of postgres:17)
valkey=$(digest_of valkey/valkey:8)

cat >.env.new <<END
BUILD_IMAGE=$build
RUNTIME_IMAGE=$runtime
POSTGRES_IMAGE=$postgres
VALKEY_IMAGE=$valkey
VERSION=$(../../scripts/version)
COMMIT=$(git rev-parse HEAD)
END
mv .env.new .env
