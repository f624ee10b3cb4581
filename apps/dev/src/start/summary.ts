import { connectors } from '@fanfare/connectors';
import type { DevFile } from '../dev-file.ts';
import { seconds } from '../steps.ts';

/** The time from the command to the first published post. */
export function firstPostLine(): string {
  const { startedMs, installMs } = bootstrapTimes();
  const what = installMs > 0 ? 'Clone → first published post' : 'Start → first published post';
  return `${what}: ${seconds(Date.now() - startedMs)}`;
}

/** @param tookMs steps that overlap are both counted in full */
export function timeTable(tookMs: ReadonlyMap<string, number>): string {
  const { installMs } = bootstrapTimes();
  const parts = [...(installMs > 0 ? [['install', installMs] as const] : []), ...tookMs];
  return `Time: ${parts.map(([name, ms]) => `${name} ${seconds(ms)}`).join(', ')} (infrastructure and build run in parallel)`;
}

/** Addresses, and a curl command that publishes a post. */
export function whatToDoNext({ base_url, sandbox_url, business_id, api_key, user }: DevFile): string {
  const textOnly = Object.values(connectors).flatMap(({ platform, limits }) => (limits.textOnly ? [`"${platform}"`] : []));
  // The time makes each pasted command a new post: X rejects one that repeats an earlier one.
  const body = String.raw`{\"caption\": \"Hello from curl, $(date +%T)\", \"restrict_publish_to\": [${textOnly.join(', ').replaceAll('"', '\\"')}]}`;
  return `
  API                ${base_url}/api
  Docs               ${base_url}/docs
  OpenAPI            ${base_url}/api/openapi.json
  Sandbox timeline   ${sandbox_url}/
  Mail               ${base_url}/_dev/mail
  Webhooks           ${sandbox_url}/_webhooks
  Sign in as         ${user.email}   password ${user.password ?? '(changed)'}
  Keys and ids       .fanfare/dev.json
  Logs               .fanfare/logs/

Publish a text post:

  POSTS=${base_url}/api/businesses/${business_id}/posts
  AUTH='Authorization: Bearer ${api_key}'
  ID=$(curl -s $POSTS -H "$AUTH" -H 'Content-Type: application/json' \\
    -d "${body}" | node -pe 'JSON.parse(fs.readFileSync(0)).id')
  curl -s -X POST $POSTS/$ID/publish -H "$AUTH" >/dev/null; sleep 1
  curl -s $POSTS/$ID -H "$AUTH" | node -pe 'JSON.parse(fs.readFileSync(0)).publish_results'

Send all events to the page of webhooks:

  curl -s ${base_url}/api/webhooks -H "$AUTH" -H 'Content-Type: application/json' \\
    -d '{"url": "${sandbox_url}/_webhooks/inbox", "events": ["*"]}'

Fanfare is running. Press Ctrl-C to stop it. The next npm start keeps the data.`;
}

/** Set by bootstrap.mjs; otherwise the time since the start of this process. */
function bootstrapTimes(): { startedMs: number; installMs: number } {
  const { FANFARE_STARTED_AT, FANFARE_INSTALL_MS } = process.env;
  return { startedMs: Number(FANFARE_STARTED_AT) || Date.now() - performance.now(), installMs: Number(FANFARE_INSTALL_MS) || 0 };
}
