// Validates with Ajv, in its default settings, what a client that trusts the OpenAPI document relies on: its examples
// or, if there is a second argument, the answers that are read from standard input.
//
//   node validate.mjs DOCUMENT [answers <ANSWERS]
//
// ANSWERS has one JSON object a line: {"operation", "status", "body"}. It prints a line for each of the first
// violations and exits with 1 if there is any.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const [file, answers] = process.argv.slice(-2)[1] === "answers" ? process.argv.slice(-2) : [process.argv.at(-1)];
const document = JSON.parse(readFileSync(file, "utf8"));
const ajv = new Ajv({ logger: false });
addFormats(ajv);

const prefix = "#/components/schemas/";
const local = (value) => JSON.parse(JSON.stringify(value), (key, v) => (key === "$ref" && v.startsWith(prefix) ? "api#/$defs/" + v.slice(prefix.length) : v));
ajv.addSchema({ $id: "api", $defs: local(document.components.schemas) });

// resolve follows a reference to a component.
const resolve = (o) => (o?.$ref ? o.$ref.split("/").slice(1).reduce((at, name) => at[name], document) : o);

let checked = 0;
let violations = 0;
function report(place, errors) {
  violations++;
  if (violations <= 50) console.log(`${place}: ${errors}`);
}

const compiled = new Map();
function check(place, schema, value) {
  checked++;
  if (!compiled.has(schema)) {
    try {
      compiled.set(schema, ajv.compile(local(schema)));
    } catch (problem) {
      report(place, problem.message);
      compiled.set(schema, () => true);
    }
  }
  const valid = compiled.get(schema);
  if (!valid(value)) report(place, ajv.errorsText(valid.errors) + " in " + JSON.stringify(value).slice(0, 300));
}

function checkExamples(place, holder) {
  const examples = Object.values(holder.examples ?? {}).map((e) => resolve(e).value);
  if (holder.example !== undefined) examples.push(holder.example);
  for (const example of examples) check(place + " example", holder.schema, example);
}

function checkContent(place, holder) {
  const media = resolve(holder)?.content ?? {};
  for (const [name, one] of Object.entries(media)) if (name.endsWith("json")) checkExamples(place, one);
}

// The examples of the members of a schema.
function checkMembers(schema, place) {
  if (typeof schema !== "object" || schema === null) return;
  for (const example of schema.examples ?? []) check(place + " example", schema, example);
  for (const [name, member] of Object.entries(schema.properties ?? {})) checkMembers(member, place + "." + name);
  checkMembers(schema.items, place + "[]");
}

const operations = new Map();
for (const item of [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})]) {
  for (const op of Object.values(item)) operations.set(op.operationId, op);
}

if (answers) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { operation, status, body } = JSON.parse(line);
    const media = resolve(operations.get(operation)?.responses[status])?.content?.["application/json"];
    if (media) check(`${operation} ${status}`, media.schema, body);
  }
} else {
  for (const [id, op] of operations) {
    checkContent(id + " request", op.requestBody);
    for (const [status, r] of Object.entries(op.responses)) checkContent(`${id} ${status}`, r);
    for (const p of op.parameters ?? []) checkExamples(`${id} parameter ${resolve(p).name}`, resolve(p));
  }
  checkMembers({ properties: document.components.schemas }, "");
}
console.log(`${checked} values of ${operations.size} operations, ${violations} violations`);
process.exit(violations ? 1 : 0);
