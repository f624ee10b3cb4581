import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { revisionOf } from '../shared/revision-of.ts';
import { selfLink } from '../shared/self-link.ts';
import { everyPlatform, platform } from './platform.ts';
import { examplePlatform } from './platform-example.ts';

const body = { items: [...everyPlatform], next: null };
const revision = revisionOf(body);

const listPlatforms = route({
  method: 'get',
  path: '/api/platforms',
  operationId: 'list_platforms',
  sdkMethod: 'platforms.list',
  summary: 'List platforms and their limits',
  description:
    'Returns the rules that posts are checked against when they are validated, scheduled and published. They change only with a new release of the service: cache them and revalidate with `If-None-Match`.',
  tag: 'Integrations',
  access: access.read,
  scope: 'caller',
  params: {},
  query: {},
  returns: z.object({ self: selfLink(), items: z.array(platform), next: z.null() }).meta({ id: 'Platforms' }),
  self: 'resource',
  status: 200,
  examples: { response: { items: [examplePlatform], next: null } },
  async handler() {
    return { body, revision, headers: { 'Cache-Control': 'private, max-age=300' } };
  },
});

export const platformRoutes: readonly Route[] = [listPlatforms];
