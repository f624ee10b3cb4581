import { z } from 'zod';
import type { Context } from '../../context.ts';
import { access } from '../../accounts/index.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { revisionOf } from '../common/revision-of.ts';
import { selfLink } from '../common/self-link.ts';
import { everyPlatform, platform } from './platform.ts';
import { examplePlatform } from './platform-example.ts';

const TIMEOUT_MS = 2_000;
const bodies = new Map<string, { body: { items: z.input<typeof platform>[]; next: null }; revision: number }>();

/** The body and its revision, which are computed once for the same settings. */
function bodyFor(readsOff: readonly string[] | undefined) {
  const key = readsOff?.toSorted().join() ?? 'unknown';
  const known = bodies.get(key);
  if (known) return known;
  const body = { items: everyPlatform(readsOff), next: null };
  const made = { body, revision: revisionOf(body) };
  bodies.set(key, made);
  return made;
}

/** Undefined while analytics is unavailable, or of an older version that does not have this method. */
const readsOffIn = ({ analytics }: Context, call: Exchange<never, never, never>['call']): Promise<string[] | undefined> =>
  analytics.listReadsOff({}, { call, timeoutMs: TIMEOUT_MS }).then(
    ({ platforms }) => platforms,
    () => undefined,
  );

const listPlatforms = route({
  method: 'get',
  path: '/api/platforms',
  operationId: 'list_platforms',
  sdkMethod: 'platforms.list',
  summary: 'List platforms and their limits',
  description:
    'Returns the rules that posts are checked against when they are validated, scheduled and published. They change only with a new release or other settings of the service: cache them and revalidate with `If-None-Match`.',
  tag: 'Integrations',
  access: access.read,
  scope: 'caller',
  params: {},
  query: {},
  returns: z.object({ self: selfLink(), items: z.array(platform), next: z.null() }).meta({ id: 'Platforms' }),
  self: 'resource',
  status: 200,
  examples: { response: { items: [examplePlatform], next: null } },
  async handler(context, { call }) {
    return { ...bodyFor(await readsOffIn(context, call)), headers: { 'Cache-Control': 'private, max-age=300' } };
  },
});

export const platformRoutes: readonly Route[] = [listPlatforms];
