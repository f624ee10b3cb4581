import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import type { ZodType } from 'zod';

/** A request that Fanfare sends. */
export interface DescribedWebhook {
  /** The type of the event. */
  readonly name: string;
  readonly tag: string;
  readonly description: string;
  readonly schema: ZodType;
  readonly example: object;
}

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
});

/** By the Standard Webhooks specification. */
const HEADERS = [
  header('webhook-id', 'The id of the event, the same for each attempt.'),
  header('webhook-timestamp', 'When the attempt was made: UNIX time in seconds.'),
  header('webhook-signature', 'One or, after the secret was rotated, two signatures `v1,…`, separated by a space.'),
];

export const describeWebhook = ({ name, tag, description, schema, example }: DescribedWebhook): RouteConfig => ({
  method: 'post',
  path: name,
  operationId: `on_${name.replaceAll('.', '_')}`,
  summary: name,
  description,
  tags: [tag],
  security: [],
  parameters: HEADERS,
  request: { body: { required: true, content: { 'application/json': { schema, example } } } },
  responses: {
    '2XX': { description: 'The event is accepted.' },
    default: { description: 'The event is sent again later. 410 disables the endpoint.' },
  },
});
