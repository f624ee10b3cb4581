import { access } from '../access.ts';
import type { Context } from '../context.ts';
import { apiHealth } from '../resources/api-health.ts';
import { route, type Exchange } from '../route.ts';

const TIMEOUT_MS = 2_000;

export const getHealth = route({
  method: 'get',
  path: '/api/health',
  operationId: 'get_health',
  summary: 'Get the health of the API',
  tag: 'Health',
  access: access.read,
  scope: 'caller',
  params: {},
  query: {},
  returns: apiHealth,
  self: 'page',
  status: 200,
  examples: {
    answer: {
      status: 'ok',
      services: { content: { status: 'ok' }, library: { status: 'ok' }, publisher: { status: 'ok' } },
      oldest_due_post_at: null,
    },
  },
  async handler(context, { call }) {
    const names = ['content', 'library', 'publisher'] as const;
    const [oldestDuePostAt, ...serving] = await Promise.all([
      oldestDuePost(context, call),
      ...names.map((name) => serves(context[name], call)),
    ]);
    const services = Object.fromEntries(names.map((name, index) => [name, { status: serving[index] ? 'ok' : 'unavailable' }]));
    return {
      body: { status: serving.every(Boolean) ? 'ok' : 'degraded', services, oldest_due_post_at: oldestDuePostAt?.toISOString() ?? null },
    };
  },
});

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
