import { currentMs } from '@fanfare/runtime';
import type { z } from 'zod';
import { access } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { apiHealth } from './api-health.ts';
import { problemsOf } from './problem-of.ts';

const TIMEOUT_MS = 2_000;
const SERVICES = ['content', 'library', 'publisher', 'analytics', 'generation', 'webhooks'] as const;

type ServiceHealth = z.output<typeof apiHealth>['services'][string];
type PlatformHealth = z.output<typeof apiHealth>['platforms'][string];

const UNAVAILABLE: ServiceHealth = { status: 'unavailable', problems: [] };

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
      status: 'degraded',
      services: {
        gateway: { status: 'ok', problems: [] },
        content: { status: 'ok', problems: [] },
        library: { status: 'ok', problems: [] },
        publisher: { status: 'degraded', problems: ['deliveries_late'] },
        analytics: { status: 'ok', problems: [] },
        generation: { status: 'ok', problems: [] },
        webhooks: { status: 'ok', problems: [] },
      },
      platforms: {
        facebook: { status: 'ok', oldest_due_delivery_at: null },
        x: { status: 'degraded', oldest_due_delivery_at: '2026-08-06T09:29:14.000Z' },
      },
      oldest_due_post_at: null,
    },
  },
  async handler(context, { call }) {
    const [oldestDuePostAt, platforms, ...others] = await Promise.all([
      oldestDuePost(context, call),
      platformHealth(context, call),
      ...SERVICES.map((name) => serviceHealth(context[name], call)),
    ]);
    const services: Record<string, ServiceHealth> = {
      gateway: statusOf(Object.keys(context.health.workProblems())),
      ...Object.fromEntries(SERVICES.map((name, index) => [name, others[index] ?? UNAVAILABLE])),
    };
    const isWell = [...Object.values(services), ...Object.values(platforms)].every(({ status }) => status === 'ok');
    return {
      body: {
        status: isWell ? 'ok' : 'degraded',
        services,
        platforms,
        oldest_due_post_at: oldestDuePostAt?.toISOString() ?? null,
      },
    };
  },
});

export const healthRoutes: readonly Route[] = [getHealth];

type Call = Exchange<never, never, never>['call'];

async function serviceHealth(service: Pick<Context['content'], 'checkHealth' | 'getWorkHealth'>, call: Call): Promise<ServiceHealth> {
  const options = { call, timeoutMs: TIMEOUT_MS };
  const [serves, parts] = await Promise.all([
    service.checkHealth({ service: '' }, options).then(
      ({ status }) => status === 'SERVING',
      () => false,
    ),
    // A service of an older version does not have this method.
    service.getWorkHealth({}, options).then(
      ({ problems }) => problems.map(({ part }) => part),
      () => [],
    ),
  ]);
  return serves ? statusOf(parts) : UNAVAILABLE;
}

const statusOf = (parts: readonly string[]): ServiceHealth => ({
  status: parts.length === 0 ? 'ok' : 'degraded',
  problems: problemsOf(parts),
});

async function oldestDuePost({ content }: Context, call: Call): Promise<Date | undefined> {
  return content.getDueBacklog({}, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ oldestDueAt }) => oldestDueAt,
    () => undefined,
  );
}

/** Empty while the publisher is unavailable, or of an older version that does not have this method. */
async function platformHealth({ config, publisher }: Context, call: Call): Promise<Record<string, PlatformHealth>> {
  return publisher.listPlatformHealth({}, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ platforms }) =>
      Object.fromEntries(
        platforms.map(({ platform, inTrouble, oldestDueAt }) => {
          const isLate = oldestDueAt !== undefined && currentMs() - oldestDueAt.getTime() > config.lateAfterMs;
          return [
            platform,
            { status: inTrouble || isLate ? 'degraded' : 'ok', oldest_due_delivery_at: oldestDueAt?.toISOString() ?? null },
          ];
        }),
      ),
    () => ({}),
  );
}
