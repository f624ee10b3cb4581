import type { PlatformHealth } from '@fanfare/contracts/publisher';
import { access } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { apiHealth } from './api-health.ts';

const TIMEOUT_MS = 2_000;

const getHealth = route({
  method: 'get',
  path: '/api/health',
  operationId: 'get_health',
  sdkMethod: 'health.get',
  summary: 'Get the health of the service',
  tag: 'Health',
  access: access.read,
  scope: 'caller',
  params: {},
  query: {},
  returns: apiHealth,
  self: 'page',
  status: 200,
  examples: {
    response: {
      status: 'ok',
      services: {
        content: { status: 'ok' },
        library: { status: 'ok' },
        publisher: { status: 'ok' },
        analytics: { status: 'ok' },
        generation: { status: 'ok' },
      },
      platforms: { facebook: { status: 'ok' }, x: { status: 'ok' } },
      oldest_due_post_at: null,
    },
  },
  async handler(context, { call }) {
    const names = ['content', 'library', 'publisher', 'analytics', 'generation'] as const;
    const [oldestDuePostAt, platforms, ...serving] = await Promise.all([
      oldestDuePost(context, call),
      platformHealth(context, call),
      ...names.map((name) => serves(context[name], call)),
    ]);
    const services = Object.fromEntries(names.map((name, index) => [name, { status: serving[index] ? 'ok' : 'unavailable' }]));
    const isWell = serving.every(Boolean) && platforms.every(({ inTrouble }) => !inTrouble);
    return {
      body: {
        status: isWell ? 'ok' : 'degraded',
        services,
        platforms: Object.fromEntries(platforms.map(({ platform, inTrouble }) => [platform, { status: inTrouble ? 'degraded' : 'ok' }])),
        oldest_due_post_at: oldestDuePostAt?.toISOString() ?? null,
      },
    };
  },
});

export const healthRoutes: readonly Route[] = [getHealth];

type Call = Exchange<never, never, never>['call'];

async function serves(service: Pick<Context['content'], 'checkHealth'>, call: Call): Promise<boolean> {
  return service.checkHealth({ service: '' }, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ status }) => status === 'SERVING',
    () => false,
  );
}

async function oldestDuePost({ content }: Context, call: Call): Promise<Date | undefined> {
  return content.getDueBacklog({}, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ oldestDueAt }) => oldestDueAt,
    () => undefined,
  );
}

/** Empty while the publisher is unavailable, or of an older version that does not have this method. */
async function platformHealth({ publisher }: Context, call: Call): Promise<PlatformHealth[]> {
  return publisher.listPlatformHealth({}, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ platforms }) => platforms,
    () => [],
  );
}
