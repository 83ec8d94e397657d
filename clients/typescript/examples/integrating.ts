// The examples of docs/integrating.md as one program. It needs TIDEWAITER, the address of the service, and
// TIDEWAITER_KEY, a key of role OWNER. Webhooks must be permitted to go to this machine.
import assert from "node:assert/strict";

// [authentication]
import { ApiError, createTidewaiter, unwrap } from "@tidewaiter/client";

const api = createTidewaiter(process.env["TIDEWAITER"]!, process.env["TIDEWAITER_KEY"]!);
const me = unwrap(await api.GET("/api/me"));
console.log(me.organisation.name, me.role, me.mode);
// [end]
assert.equal(me.role, "OWNER");

// [idempotency]
const order = {
  params: { header: { "Idempotency-Key": "order-1133-client" } },
  body: { name: "Mill Lane Textiles Ltd" },
};
const client = unwrap(await api.POST("/api/clients", order));
const again = unwrap(await api.POST("/api/clients", order));
assert.equal(again.id, client.id); // the first answer again; nothing was created
// [end]

// [modes]
const shipment = unwrap(
  await api.POST("/api/shipments", { body: { clientId: client.id, portOfEntry: "GBFXT", transportMode: "SEA" } }),
);
const goods = {
  commodityCode: "6109100010",
  description: "Cotton T-shirts",
  netMassKg: 120.5,
  customsValueGbp: 1850.45,
};
const declaration = unwrap(
  await api.POST("/api/declarations", {
    body: { shipmentId: shipment.id, declarationType: "IMPORT", items: [goods] },
  }),
);
const submission = unwrap(
  await api.POST("/api/cds/submit", {
    params: { header: { "X-Simulate": "reject CDS12056" } },
    body: { declarationId: declaration.id },
  }),
);
console.log(submission.note); // Simulated: …
// [end]
assert.equal(submission.simulated, true);

// [sandbox]
const made = unwrap(await api.POST("/api/sandbox/keys", { body: { name: "CI", role: "OWNER" } }));
const sandbox = createTidewaiter(process.env["TIDEWAITER"]!, made.secret);
const advanced = await sandbox.POST("/api/test/clock", { body: { advance: "P30D" } });
console.log(advanced.response.headers.get("X-Tidewaiter-Mode"), unwrap(advanced).clock.now); // test, in 30 days
unwrap(await sandbox.POST("/api/sandbox/reset"));
// [end]

const seen: string[] = [];
// [pages]
let cursor: string | undefined;
do {
  const query = { limit: 100, createdAfter: client.createdAt, ...(cursor && { cursor }) };
  const page = unwrap(await api.GET("/api/clients", { params: { query } }));
  for (const record of page.clients) {
    console.log(record.id, record.name);
    seen.push(record.id);
  }
  cursor = page.nextCursor ?? undefined;
} while (cursor);
// [end]
assert.ok(seen.includes(client.id));

// [errors]
const refused = await api.POST("/api/shipments", {
  body: { clientId: client.id, portOfEntry: "", transportMode: "SEA" },
});
if (refused.error) {
  console.log(refused.response.status, refused.error.error, refused.error.requestId);
  for (const { field, message } of refused.error.details ?? []) console.log(field, message);
}
// [end]
assert.equal(refused.error?.error, "invalid_request");
assert.throws(() => unwrap(refused), ApiError);

// [limits]
const { response } = await api.GET("/api/hubs");
console.log(response.headers.get("X-RateLimit-Remaining"), "of", response.headers.get("X-RateLimit-Limit"));
// [end]
assert.ok(Number(response.headers.get("X-RateLimit-Remaining")) < Number(response.headers.get("X-RateLimit-Limit")));

// [retries]
const kept = unwrap(
  await api.POST("/api/clients", {
    params: { header: { "Idempotency-Key": "order-1134-client" } },
    body: { name: "Quayside Foods Ltd" },
    signal: AbortSignal.timeout(30_000),
  }),
);
// [end]
assert.equal(kept.name, "Quayside Foods Ltd");

// [concurrency]
const path = { id: client.id };
const read = await api.GET("/api/clients/{id}", { params: { path } });
const header = { "If-Match": read.response.headers.get("ETag")! };
unwrap(await api.PATCH("/api/clients/{id}", { params: { path, header }, body: { city: "Ipswich" } }));
const late = await api.PATCH("/api/clients/{id}", { params: { path, header }, body: { city: "Felixstowe" } });
console.log(late.response.status, late.error?.error); // 412 precondition_failed: read it again, and decide
// [end]
assert.equal(late.response.status, 412);

// [batches]
import { setTimeout as sleep } from "node:timers/promises";

let { batch } = unwrap(
  await api.POST("/api/batches", {
    params: { header: { "Idempotency-Key": "monday-1" } },
    body: {
      operations: [
        { method: "POST", path: "/api/clients", reference: "client", body: { name: "Harbour Kitchens Ltd" } },
        {
          method: "POST",
          path: "/api/shipments",
          reference: "shipment",
          body: { clientId: "$ref:client", portOfEntry: "GBFXT", transportMode: "SEA" },
        },
      ],
    },
  }),
);
const job = { params: { path: { id: batch.id } } };
while (batch.status === "QUEUED" || batch.status === "RUNNING") {
  await sleep(200);
  ({ batch } = unwrap(await api.GET("/api/batches/{id}", job)));
}
for (const row of unwrap(await api.GET("/api/batches/{id}/results", job)).results) console.log(row.reference, row.status);
// [end]
assert.equal(batch.status, "DONE");
assert.equal(batch.done, 2);

// [webhooks]
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, type WebhookEvent } from "@tidewaiter/client/webhook";

let secret = "";
const accepted: WebhookEvent[] = [];
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const genuine = verifyWebhook(secret, request.headers, body);
  if (genuine) accepted.push(JSON.parse(body.toString())); // store it, answer, and process it afterwards
  response.writeHead(genuine ? 204 : 401).end();
});
await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
const { endpoint } = unwrap(await api.POST("/api/webhooks/endpoints", { body: { url, events: ["declaration.*"] } }));
secret = endpoint.secret ?? "";
const { delivery } = unwrap(
  await api.POST("/api/webhooks/endpoints/{id}/test", {
    params: { path: { id: endpoint.id ?? "" } },
    body: { eventType: "declaration.cleared" },
  }),
);
console.log(delivery.status, delivery.httpStatus); // DELIVERED 204
server.close();
// [end]
assert.equal(delivery.status, "DELIVERED");
assert.equal(accepted[0]?.type, "declaration.cleared");
const forged = {
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
  "webhook-signature": "v1,forged",
};
assert.equal(verifyWebhook(secret, forged, Buffer.from("{}")), false);
console.log("All examples ran.");
