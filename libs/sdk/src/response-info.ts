/** What a response contains besides its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
  /** Names the revision of a resource that can be edited. */
  readonly etag: string | undefined;
  /** Whether this is the stored response of an earlier call with the same idempotency key. */
  readonly isReplayed: boolean;
  /** The window with the fewest requests left. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetAt: Date };
}

const infos = new WeakMap<object, ResponseInfo>();

/**
 * The rest of a response, found by the body that a method of the client returned.
 * @throws TypeError for any other object, such as a row of a list
 */
export function infoOf(body: object): ResponseInfo {
  const info = infos.get(body);
  if (!info) throw new TypeError('This is not the body of a response, as a method of the client returned it.');
  return info;
}

/** The body of a response; infoOf finds the rest. */
export async function bodyOf<T extends object>(call: Promise<{ data: T; response: Response }>): Promise<T> {
  const { data, response } = await call;
  infos.set(data, readInfo(response));
  return data;
}

function readInfo({ status, headers }: Response): ResponseInfo {
  return {
    status,
    headers,
    requestId: headers.get('x-request-id') ?? '',
    etag: headers.get('etag') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
    rateLimit: {
      limit: Number(headers.get('ratelimit-limit')),
      remaining: Number(headers.get('ratelimit-remaining')),
      resetAt: new Date(Number(headers.get('ratelimit-reset')) * 1000),
    },
  };
}
