import type { Config } from '../../config.ts';
import { escapeHtml } from '../../text/escape-html.ts';

/** The next steps of a person with an account, in an installation without a web app. */
export const howToSignIn = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `<h2>What to do next</h2>
<p>Sign in. This installation of Fanfare has no web app, so you do that through the API:</p>
<pre>curl ${escapeHtml(baseUrl)}/api/auth/sign-in \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "password": "…"}'</pre>
<p>The <code>access_token</code> of the response is valid for ten minutes. Send it as <code>Authorization: Bearer …</code> in your next requests, for example to
create a business or an API key. The <a href="${escapeHtml(baseUrl)}/docs">documentation</a> shows every operation.</p>`;
