import { PLATFORMS } from './platform.ts';
import type { AppName } from './sign-in.ts';

/** An app that the sandbox has registered from the start, in the format of `PLATFORM_APPS`. Its secret is public. */
export function sandboxApp(name: AppName): { readonly client_id: string; readonly client_secret: string } {
  const clientId = `sandbox-${(PLATFORMS as readonly AppName[]).includes(name) ? name : name.replaceAll('_', '-')}`;
  return { client_id: clientId, client_secret: `${clientId}-secret` };
}
