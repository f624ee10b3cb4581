import { Agent, fetch as undiciFetch, request as undiciRequest, type RequestInit, type Response } from 'undici';

export { FormData, type Response } from 'undici';

/**
 * The undici that Node has inside ends the process when a server closes while its response is still being read (nodejs/undici#5360), and whatever is sent
 * without an agent of its own goes through that one as soon as anything has loaded it.
 */
const agent = new Agent({ allowH2: false });

/** `fetch` by the pinned undici, over connections of its own. Send forms as the `FormData` of this module. */
export const fetch = (url: string | URL, init: Omit<RequestInit, 'dispatcher'> = {}): Promise<Response> =>
  undiciFetch(url, { ...init, dispatcher: agent });

/** `request` by the pinned undici, over connections of its own. */
export const request = (url: string | URL, options: Parameters<typeof undiciRequest>[1] = {}): ReturnType<typeof undiciRequest> =>
  undiciRequest(url, { ...options, dispatcher: agent });
