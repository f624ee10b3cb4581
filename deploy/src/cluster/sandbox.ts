import { request } from '@fanfare/runtime/http-client';
import { NAMESPACE } from './release.ts';

const URL = `http://fanfare-sandbox.${NAMESPACE}.svc:8080/_control`;
/** The sandbox's control API responds to callers on its own machine only. */
const headers = { host: 'localhost:8080' };

/** What a simulated platform has received. */
export async function sandboxPosts(platform: string): Promise<readonly { readonly text: string }[]> {
  const { statusCode, body } = await request(`${URL}/posts?limit=20000&platform=${platform}`, { headers });
  if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
  return ((await body.json()) as { items: { text: string }[] }).items;
}
