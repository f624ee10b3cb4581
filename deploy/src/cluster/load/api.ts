import { randomUUID } from 'node:crypto';
import { fetch } from '@fanfare/runtime/http-client';
import { API_URL } from './gateway.ts';

const LIMIT_MS = 60_000;

/** What `npm run admin -- demo` creates. */
export interface Tenant {
  readonly api_key: string;
  readonly business_id: string;
}

export interface Post {
  readonly id: string;
  readonly publish_results: readonly { readonly platform: string; readonly status: string; readonly error_type: string | null }[];
}

/** A response that is not 2xx. */
export class Rejected extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
    this.code = /"code": ?"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 60).trim();
  }
}

/** Calls the public API about a business, once. */
export type Api = <Body>(method: string, where: string, body?: object, idempotencyKey?: string) => Promise<Body>;

/** @throws Rejected, or the error of a connection that failed or was lost */
export function createApi({ api_key: key, business_id: business }: Tenant): Api {
  return async <Body>(method: string, where: string, body?: object, idempotencyKey: string = randomUUID()) => {
    const response = await fetch(`${API_URL}/api/businesses/${business}${where}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Rejected(response.status, text);
    return JSON.parse(text) as Body;
  };
}
