import { request } from '@fanfare/runtime/http-client';
import { NAMESPACE } from '../release.ts';

const URL = `http://fanfare-sandbox.${NAMESPACE}.svc:8080/_control`;
/** The sandbox's control API responds to callers on its own machine only. */
const headers = { host: 'localhost:8080' };
/** The calls that post a text, by their names in the sandbox. */
const POSTS = { facebook: 'facebook.create_feed_post', x: 'x.create_post' } as const;

/** Makes all posts to a simulated platform take so long, until `clearFaults`. */
export async function slowDown(platform: keyof typeof POSTS, ms: number): Promise<void> {
  await control('POST', '/faults', { platform, call: POSTS[platform], times: null, fault: { type: 'delay', ms } });
}

export async function clearFaults(): Promise<void> {
  await control('DELETE', '/faults');
}

/** What a simulated platform has received. */
export async function sandboxPosts(platform: string): Promise<readonly { readonly text: string }[]> {
  const { items } = JSON.parse(await control('GET', `/posts?limit=20000&platform=${platform}`)) as { items: { text: string }[] };
  return items;
}

/** @throws Error with a response that is not 2xx */
async function control(method: 'GET' | 'POST' | 'DELETE', where: string, json?: object): Promise<string> {
  const type = json && { 'content-type': 'application/json' };
  const response = await request(URL + where, { method, headers: { ...headers, ...type }, ...(json && { body: JSON.stringify(json) }) });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${response.statusCode} ${text}`);
  return text;
}
