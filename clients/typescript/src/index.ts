import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

/** The schemas of requests and answers by name, such as Schemas["DeclarationInput"]. */
export type Schemas = components["schemas"];

/** A client with the methods GET, POST, PATCH and DELETE, typed by path. */
export type Tidewaiter = Client<paths>;

/** How calls are repeated. */
const retries = 4;
const firstWait = 500; // milliseconds, doubled each time, unless the service says how long to wait
const longestWait = 60_000;

/**
 * Returns a client of the service at an address, with a key. Calls are repeated after 429 and 503, when the service has
 * done nothing, as soon as its answer permits; after a lost connection only GET and calls with an Idempotency-Key.
 */
export function createTidewaiter(baseUrl: string, key: string): Tidewaiter {
  return createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: retrying,
    querySerializer: { array: { style: "form", explode: false }, object: { style: "deepObject", explode: true } },
  });
}

/** A refusal as an exception; answers have the refusal as error. */
export class ApiError extends Error {
  readonly code: string;
  readonly details: Schemas["ErrorDetail"][];
  readonly requestId: string;

  constructor(problem: Schemas["ProblemDetails"]) {
    super(`${problem.error}: ${problem.message}`);
    this.code = problem.error;
    this.details = problem.details ?? [];
    this.requestId = problem.requestId;
  }
}

/** Returns the data of an answer, or throws an ApiError. */
export function unwrap<T>(answer: { data?: T; error?: Schemas["ProblemDetails"]; response: Response }): T {
  if (answer.error !== undefined) throw new ApiError(answer.error);
  if (answer.data === undefined) throw new Error(`the answer ${answer.response.status} has no body`);
  return answer.data;
}

async function retrying(request: Request): Promise<Response> {
  const repeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
  for (let attempt = 0; ; attempt++) {
    const last = attempt === retries;
    let wait = firstWait * 2 ** attempt;
    try {
      const response = await fetch(last ? request : request.clone());
      if (last || (response.status !== 429 && response.status !== 503)) return response;
      const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
      if (!Number.isNaN(seconds)) wait = seconds * 1000;
      await response.body?.cancel();
    } catch (lost) {
      if (last || !repeatable || request.signal.aborted) throw lost;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, longestWait)));
  }
}
