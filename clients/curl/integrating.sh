#!/usr/bin/env bash
# The examples of docs/integrating.md as one program. It needs curl, jq and openssl, TIDEWAITER, the address of the
# service, and TIDEWAITER_KEY, a key of role OWNER. Webhooks must be permitted to go to this machine.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
must() { "$@" || { echo "not so: $*" >&2; exit 1; }; }

# [authentication]
call() { curl -s -H "Authorization: Bearer $TIDEWAITER_KEY" -H "Content-Type: application/json" "$@"; }
call "$TIDEWAITER/api/me" | jq -r '"\(.organisation.name) \(.role) \(.mode)"'
# [end]
must [ "$(call "$TIDEWAITER/api/me" | jq -r .role)" = OWNER ]

# [idempotency]
CLIENT=$(call "$TIDEWAITER/api/clients" -H "Idempotency-Key: order-1133-client" -d '{"name": "Mill Lane Textiles Ltd"}' | jq -r .id)
AGAIN=$(call "$TIDEWAITER/api/clients" -H "Idempotency-Key: order-1133-client" -d '{"name": "Mill Lane Textiles Ltd"}' | jq -r .id)
test "$AGAIN" = "$CLIENT" # the first answer again; nothing was created
# [end]

# [modes]
SHIPMENT=$(call "$TIDEWAITER/api/shipments" -d "{\"clientId\": \"$CLIENT\", \"portOfEntry\": \"GBFXT\", \"transportMode\": \"SEA\"}" | jq -r .id)
DECLARATION=$(call "$TIDEWAITER/api/declarations" -d "{\"shipmentId\": \"$SHIPMENT\", \"declarationType\": \"IMPORT\", \"items\": [
  {\"commodityCode\": \"6109100010\", \"description\": \"Cotton T-shirts\", \"netMassKg\": 120.5, \"customsValueGbp\": 1850.45}]}" | jq -r .id)
call "$TIDEWAITER/api/cds/submit" -H "X-Simulate: reject CDS12056" -d "{\"declarationId\": \"$DECLARATION\"}" | jq -r .note # Simulated: …
# [end]
must [ "$(call "$TIDEWAITER/api/declarations/$DECLARATION" | jq .declaration.simulated)" = true ]

# [sandbox]
TEST_KEY=$(call "$TIDEWAITER/api/sandbox/keys" -d '{"name": "CI", "role": "OWNER"}' | jq -r .secret)
sandbox() { curl -s -H "Authorization: Bearer $TEST_KEY" -H "Content-Type: application/json" "$@"; }
CLOCK=$(sandbox "$TIDEWAITER/api/test/clock" -d '{"advance": "P30D"}' | jq -r .clock.now)
echo "$(sandbox "$TIDEWAITER/api/me" | jq -r .mode) $CLOCK" # test, in 30 days
sandbox -X POST "$TIDEWAITER/api/sandbox/reset" | jq -c .reset.removed
# [end]

{
# [pages]
CURSOR=
while PAGE=$(call -G "$TIDEWAITER/api/clients" -d limit=100 ${CURSOR:+--data-urlencode "cursor=$CURSOR"}); do
  jq -r '.clients[] | "\(.id) \(.name)"' <<<"$PAGE"
  CURSOR=$(jq -r '.nextCursor // empty' <<<"$PAGE")
  [ -n "$CURSOR" ] || break
done
# [end]
} >pages
cat pages
must grep -q "$CLIENT Mill Lane" pages

# [errors]
call "$TIDEWAITER/api/shipments" -w '%{http_code}\n' -d "{\"clientId\": \"$CLIENT\", \"portOfEntry\": \"\", \"transportMode\": \"SEA\"}"
# [end]
must [ "$(call "$TIDEWAITER/api/shipments" -d "{\"clientId\": \"$CLIENT\", \"portOfEntry\": \"\", \"transportMode\": \"SEA\"}" | jq -r '.details[0].field')" = portOfEntry ]

# [limits]
call "$TIDEWAITER/api/hubs" -o /dev/null -D - | grep X-RateLimit
# [end]

# [retries]
call "$TIDEWAITER/api/clients" --retry 8 --retry-connrefused -m 30 -H "Idempotency-Key: order-1134-client" -d '{"name": "Quayside Foods Ltd"}' | jq -r .id
# [end]

# [concurrency]
VERSION=$(call "$TIDEWAITER/api/clients/$CLIENT" -o /dev/null -w '%header{etag}')
call -X PATCH "$TIDEWAITER/api/clients/$CLIENT" -H "If-Match: $VERSION" -d '{"city": "Ipswich"}' | jq -r .client.city
call -X PATCH "$TIDEWAITER/api/clients/$CLIENT" -H "If-Match: $VERSION" -d '{"city": "Felixstowe"}' | jq -r .error # precondition_failed: read it again, and decide
# [end]
must [ "$(call "$TIDEWAITER/api/clients/$CLIENT" | jq -r .client.city)" = Ipswich ]

# [batches]
BATCH=$(call "$TIDEWAITER/api/batches" -H "Idempotency-Key: monday-1" -d '{"operations": [
  {"method": "POST", "path": "/api/clients", "reference": "client", "body": {"name": "Harbour Kitchens Ltd"}},
  {"method": "POST", "path": "/api/shipments", "reference": "shipment",
   "body": {"clientId": "$ref:client", "portOfEntry": "GBFXT", "transportMode": "SEA"}}]}' | jq -r .batch.id)
until STATUS=$(call "$TIDEWAITER/api/batches/$BATCH" | jq -r .batch.status) && [[ $STATUS != QUEUED && $STATUS != RUNNING ]]; do sleep 0.2; done
call "$TIDEWAITER/api/batches/$BATCH/results" | jq -r '.results[] | "\(.reference) \(.status)"'
# [end]
must [ "$STATUS $(call "$TIDEWAITER/api/batches/$BATCH" | jq .batch.done)" = "DONE 2" ]

RECEIVER=${RECEIVER:-http://127.0.0.1:9}
# [webhooks]
ENDPOINT=$(call "$TIDEWAITER/api/webhooks/endpoints" -d "{\"url\": \"$RECEIVER/hooks\", \"events\": [\"declaration.*\"]}")
SECRET=$(jq -r .endpoint.secret <<<"$ENDPOINT") ID=$(jq -r .endpoint.id <<<"$ENDPOINT")
call "$TIDEWAITER/api/webhooks/endpoints/$ID/test" -d '{"eventType": "declaration.cleared"}' | jq -r .delivery.status

# What arrived is in the log of the endpoint. Check its signature:
DELIVERY=$(call "$TIDEWAITER/api/webhooks/endpoints/$ID/deliveries" | jq -r '.deliveries[0].id')
call "$TIDEWAITER/api/webhooks/endpoints/$ID/deliveries/$DELIVERY" >delivery.json
jq -r '.request.headers["X-Service-Signature"]' delivery.json | tr ',' '\n' >signature # t=<Unix seconds> and v1=<hex>
{ printf %s. "$(sed -n 's/^t=//p' signature)"; jq -j .request.body delivery.json; } |
  openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1 >wanted
grep -qx "v1=$(cat wanted)" signature && echo genuine
# [end]
must grep -qx "v1=$(cat wanted)" signature
echo "All examples ran."
