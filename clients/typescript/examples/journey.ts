// One import from a client to clearance, in the sandbox or at the simulator. It needs TIDEWAITER, the address of the
// service, and TIDEWAITER_KEY, a key of role MEMBER or OWNER.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { createTidewaiter, unwrap, type Schemas } from "@tidewaiter/client";

const value = 1234567.89;
const api = createTidewaiter(process.env["TIDEWAITER"] ?? "", process.env["TIDEWAITER_KEY"] ?? "");

const client = unwrap(
  await api.POST("/api/clients", { body: { name: "Mill Lane Textiles Ltd", eori: "GB123456789000" } }),
);
const shipment = unwrap(
  await api.POST("/api/shipments", { body: { clientId: client.id, portOfEntry: "GBFXT", transportMode: "SEA" } }),
);
const item: Schemas["DeclarationItemInput"] = {
  commodityCode: "6109100010",
  description: "Cotton T-shirts",
  netMassKg: 120.5,
  customsValueGbp: value,
  countryOfOrigin: "BD",
};
const created = unwrap(
  await api.POST("/api/declarations", {
    body: { shipmentId: shipment.id, declarationType: "IMPORT", items: [item] },
  }),
);
assert.equal(created.items[0]?.customsValueGbp, value);
assert.equal(Math.round(created.totalDutyGbp * 100), 14814814);

const submission = unwrap(
  await api.POST("/api/cds/submit", {
    params: { header: { "X-Simulate": "clear" } },
    body: { declarationId: created.id },
  }),
);
assert.equal(submission.status, "SUBMITTED");
assert.equal(submission.simulated, true);

const declaration = await waitUntilCleared(created.id);
assert.equal(declaration.mrn?.length, 18);
assert.equal(declaration.items[0]?.customsValueGbp, value);

const { events } = unwrap(await api.GET("/api/audit", { params: { query: { eventType: "declaration.cleared" } } }));
assert.ok(events.some((event) => event.resourceId === created.id));

const path = { id: "0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a" };
const refused = await api.GET("/api/declarations/{id}", { params: { path } });
assert.equal(refused.response.status, 404);
assert.equal(refused.error?.error, "not_found");

console.log("CLEARED", declaration.mrn, value.toFixed(2));

/** Reads the declaration until customs has cleared it, at most a minute. */
async function waitUntilCleared(id: string): Promise<Schemas["DeclarationRecord"]> {
  for (let tries = 0; tries < 600; tries++) {
    const { declaration } = unwrap(await api.GET("/api/declarations/{id}", { params: { path: { id } } }));
    if (declaration.status === "CLEARED") return declaration;
    await sleep(100);
  }
  throw new Error(`the declaration ${id} was not cleared within a minute`);
}
