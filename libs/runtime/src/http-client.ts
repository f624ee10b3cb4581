import { Agent, fetch as undiciFetch, request as undiciRequest, type RequestInit, type Response } from 'undici';

export { FormData, type Response } from 'undici';

/**
 * Node's built-in undici ends the process when a server closes the connection while its response is still being read (nodejs/undici#5360), and
 * requests without their own agent use it as soon as any code has loaded it.
 */
const agent = new Agent({ allowH2: false });

/** `fetch` of the pinned undici, with its own connections. Send forms as the `FormData` of this module. */
export const fetch = (url: string | URL, init: Omit<RequestInit, 'dispatcher'> = {}): Promise<Response> =>
  undiciFetch(url, { ...init, dispatcher: agent });

/** `request` of the pinned undici, with its own connections. */
export const request = (url: string | URL, options: Parameters<typeof undiciRequest>[1] = {}): ReturnType<typeof undiciRequest> =>
  undiciRequest(url, { ...options, dispatcher: agent });
