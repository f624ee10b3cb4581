import { infoOf } from './response-info.ts';
import type { CallOptions, EditOptions, OnceOptions } from './call-options.ts';
import { createClient, createConfig } from './gen/client/index.ts';
import { send, type TransportSettings } from './transport.ts';

/** How the three kinds of operations are called: what each adds to the arguments of a generated function. */
export type Caller = ReturnType<typeof createCaller>;

export function createCaller(baseUrl: string, settings: TransportSettings) {
  const client = createClient(createConfig({ baseUrl }));
  const plain = (options: CallOptions = {}) => ({
    client,
    throwOnError: true as const,
    // The generated client always makes a Request of what it sends.
    fetch: ((request: Request) => send(settings, options, request)) as typeof fetch,
  });
  return {
    client,
    /** Reads, and whatever else needs no header of its own. */
    plain,
    /** Creates. */
    once: (options: OnceOptions = {}) => ({ ...plain(options), headers: keyHeader(options) }),
    /** Edits and deletes. */
    edit: (options: EditOptions = {}) => ({ ...plain(options), headers: tagHeader(options) }),
    /** What is done to a resource. */
    act: (options: OnceOptions & EditOptions = {}) => ({ ...plain(options), headers: { ...keyHeader(options), ...tagHeader(options) } }),
  };
}

const keyHeader = ({ idempotencyKey = crypto.randomUUID() }: OnceOptions) => ({ 'Idempotency-Key': idempotencyKey });

/** @throws TypeError when what was read has no ETag */
function tagHeader({ ifMatch }: EditOptions): { 'If-Match'?: string } {
  if (ifMatch === undefined) return {};
  const etag = typeof ifMatch === 'string' ? ifMatch : infoOf(ifMatch).etag;
  if (etag === undefined) throw new TypeError('The response of this object has no ETag.');
  return { 'If-Match': etag };
}
