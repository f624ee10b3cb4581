import { fetch, FormData } from '@fanfare/runtime/http-client';

/** A call of the public API, as any customer makes it. */
export type Api = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

const LIMIT_MS = 60_000;

/** @returns a function that throws an Error with the message of the API unless the status is 2xx */
export function createApi(baseUrl: string, apiKey: string): Api {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }) },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /api${path} returned ${response.status}: ${detailOf(text)}`);
    return JSON.parse(text) as T;
  };
}

function detailOf(text: string): string {
  try {
    const { detail, param } = JSON.parse(text) as { detail?: string; param?: string };
    return [detail ?? text, param && `(${param})`].filter(Boolean).join(' ');
  } catch {
    return text.slice(0, 300);
  }
}
