import { createHmac, timingSafeEqual } from "node:crypto";

/** The body of a webhook. The object is the record as the API shows it. */
export interface WebhookEvent<T = unknown> {
  id: string;
  type: string;
  createdAt: string;
  organisationId: string;
  data: { object: T; previousStatus: string | null };
}

const tolerance = 300; // seconds

/**
 * Reports whether the secret signed a delivery, as Standard Webhooks says, at most five minutes ago. The names of the
 * headers are in lower case, as Node.js provides them; the body is what arrived, before it is parsed.
 */
export function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Uint8Array,
): boolean {
  const id = String(headers["webhook-id"] ?? "");
  const timestamp = String(headers["webhook-timestamp"] ?? "");
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const sum = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  const wanted = Buffer.from(`v1,${sum}`);
  return String(headers["webhook-signature"] ?? "")
    .split(" ")
    .some((text) => {
      const signature = Buffer.from(text);
      return signature.length === wanted.length && timingSafeEqual(signature, wanted);
    });
}
