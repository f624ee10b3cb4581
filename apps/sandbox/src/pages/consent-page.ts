import type { Call } from '../wire/call.ts';
import { html, redirect, type Reply } from '../wire/reply.ts';
import type { Account } from '../world/world.ts';
import { escape, htmlPage, pageHeaders } from './html-page.ts';

/**
 * The page on which a person grants an app the scopes that it requests; `_consent` and `_account` are our form's own fields.
 * @param all what to call the choice of every account, where the platform has it
 */
export function consentPage(call: Call, platform: string, clientId: string, scopes: string[], accounts: Account[], all?: string): Reply {
  const hidden = [...call.query].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`);
  const options = accounts.map((one) => `<option value="${escape(one.id)}">${escape(one.name)} (@${escape(one.username)})</option>`);
  if (all) options.unshift(`<option value="">${escape(all)}</option>`);
  return html(
    200,
    htmlPage(
      `Allow access · ${platform}`,
      `<p class="tag">Sandbox of ${escape(platform)}</p><h1>Allow “${escape(clientId)}” to act for you?</h1>
<p>It requests:</p><ul>${scopes.map((scope) => `<li><code>${escape(scope)}</code></li>`).join('')}</ul>
<form method="get">${hidden.join('')}
<label>Account <select name="_account">${options.join('')}</select></label>
<p class="buttons"><button name="_consent" value="allow">Allow</button> <button class="plain" name="_consent" value="deny">Deny</button></p></form>`,
    ),
    pageHeaders,
  );
}

/** The page shown instead of a redirect, when the redirect URL cannot be trusted. */
export function authorizeError(platform: string, message: string): Reply {
  return html(
    400,
    htmlPage(
      `Sorry · ${platform}`,
      `<p class="tag">Sandbox of ${escape(platform)}</p><h1>Sorry, something went wrong.</h1><p>${escape(message)}</p>`,
    ),
    pageHeaders,
  );
}

/** Redirects to the app, with the result in the query. */
export function backToApp(redirectUri: string, response: Record<string, string | null>): Reply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) if (value !== null) url.searchParams.set(name, value);
  return redirect(url.href);
}

export function redirectUriAccepted(registered: string[], redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hash } = new URL(redirectUri);
  if ((protocol !== 'https:' && protocol !== 'http:') || hash) return false;
  return registered.length === 0 || registered.includes(redirectUri);
}
