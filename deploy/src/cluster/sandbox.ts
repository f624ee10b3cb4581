import { fetch } from '@fanfare/runtime/http-client';
import { NAMESPACE } from './release.ts';

const URL = `http://fanfare-sandbox.${NAMESPACE}.svc:8080/_control`;

/** What a simulated platform has received. */
export async function sandboxPosts(platform: string): Promise<readonly { readonly text: string }[]> {
  const response = await fetch(`${URL}/posts?limit=20000&platform=${platform}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { items: { text: string }[] }).items;
}

/** Makes each call of an operation take longer. @returns ends it */
export async function slowDown(operation: string, ms: number): Promise<() => Promise<void>> {
  const fault = { platform: operation.split('.')[0], call: operation, times: null, after: 0, fault: { type: 'delay', ms } };
  const response = await fetch(`${URL}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  const { id } = (await response.json()) as { id: string };
  return async () => void (await fetch(`${URL}/faults/${id}`, { method: 'DELETE' }));
}
