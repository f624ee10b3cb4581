import { fetch } from '@fanfare/runtime/http-client';
import { NAMESPACE } from './release.ts';

const URL = `http://fanfare-sandbox.${NAMESPACE}.svc:8080/_control`;

/** What a simulated platform has received. */
export async function sandboxPosts(platform: string): Promise<readonly { readonly text: string }[]> {
  const response = await fetch(`${URL}/posts?limit=20000&platform=${platform}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { items: { text: string }[] }).items;
}
