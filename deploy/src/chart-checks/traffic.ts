import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';

/** Of `.fanfare/dev.json`, which `npm start` writes. */
export interface RunningPlatform {
  readonly base_url: string;
  readonly sandbox_url: string;
  readonly api_key: string;
  readonly business_id: string;
  /** Service → address of /metrics. */
  readonly health: Readonly<Record<string, string>>;
}

/** Platforms that publish text alone. */
const PLATFORMS = ['facebook', 'google_business', 'linkedin', 'x'];
const LIMIT_MS = 60_000;

/**
 * A little of everything that callers do: posts that are published now and later, and removed, a rejected request, webhooks, a long poll. Twice, because a rate needs a counter that was scraped before it grew.
 * @throws Error with the response that is not 2xx
 */
export async function produceTraffic(platform: RunningPlatform): Promise<void> {
  const call = async <Body = unknown>(method: string, where: string, body?: object): Promise<Body> => {
    const response = await fetch(`${platform.base_url}/api${where}`, {
      method,
      headers: {
        authorization: `Bearer ${platform.api_key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  };
  const posts = `/businesses/${platform.business_id}/posts`;
  const webhook = await call<{ id: string }>('POST', '/webhooks', { url: `${platform.sandbox_url}/_webhooks/metrics`, events: ['*'] });
  try {
    for (const round of [1, 2]) {
      // No platform takes the same text twice.
      const post = { caption: `Traffic for dashboards, ${randomUUID()}`, restrict_publish_to: PLATFORMS };
      const { id } = await call<{ id: string }>('POST', posts, post);
      await call('POST', `${posts}/${id}/publish`);
      await until('the post is not published', LIMIT_MS, async () => {
        const { publish_results: results } = await call<{ publish_results: { status: string }[] }>('GET', `${posts}/${id}`);
        if (results.some(({ status }) => status !== 'success')) throw new Error(results.map(({ status }) => status).join(', '));
      });
      await call('POST', `${posts}/${id}/unpublish`);
      const soon = new Date(performance.timeOrigin + performance.now() + 3_000).toISOString();
      await call('POST', posts, { ...post, caption: `${post.caption}, later`, status: 'SCHEDULED', scheduled_publish_time: soon });
      await call('GET', '/events?wait=5');
      await call('GET', `${posts}/${randomUUID()}`).catch(() => 'the rejected request');
      console.log(`  traffic, round ${round} of 2`);
      await wait(10_000);
    }
  } finally {
    await call('DELETE', `/webhooks/${webhook.id}`);
  }
}
