import type { z } from 'zod';
import type { Operation, Sandbox } from '../../platforms/platform.ts';
import type { Call } from '../../wire/call.ts';
import type { Reply } from '../../wire/reply.ts';
import { invalid, invalidKey } from './errors.ts';

export const HOSTS = ['api.openai.com', 'openai'] as const;

/** Every call must have a key; any key is accepted. */
export function openaiOperation(
  name: string,
  method: Operation['method'],
  path: string,
  handle: (call: Call, sandbox: Sandbox) => Promise<Reply> | Reply,
  more: Pick<Operation, 'processes'> = {},
): Operation {
  return {
    name: `openai.${name}`,
    hosts: HOSTS,
    method,
    path: `/v1${path}`,
    ...more,
    handle: (call, sandbox) => (/^Bearer \S+$/.test(call.headers['authorization'] ?? '') ? handle(call, sandbox) : invalidKey()),
  };
}

/** The body, validated by its schema. Unknown members are rejected, as the provider does. */
export function bodyOf<T>(schema: z.ZodType<T>, { body }: Call): T {
  const given = body.kind === 'json' ? body.value : body.kind === 'multipart' || body.kind === 'form' ? { ...body.fields } : undefined;
  if (given === undefined) throw invalid('We could not parse the JSON body of your request.', null);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') throw invalid(`Unrecognized request argument supplied: ${issue.keys.join(', ')}`, null);
  const at = issue?.path.join('.') ?? null;
  throw invalid(`Invalid value for '${at}': ${issue?.message}`, at, 'invalid_value');
}
