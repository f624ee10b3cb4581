/** What an answer says beside its body. */
export interface AnswerInfo {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string;
  /** Names the revision of a resource that can be edited. */
  readonly etag: string | undefined;
  /** Whether this is the kept answer of an earlier call with the same idempotency key. */
  readonly isReplayed: boolean;
  /** The window with the fewest requests left. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly resetAt: Date };
}

const infos = new WeakMap<object, AnswerInfo>();

/**
 * What came along with an answer of this library.
 * @throws TypeError for anything else, such as a row of a list
 */
export function infoOf(answer: object): AnswerInfo {
  const info = infos.get(answer);
  if (!info) throw new TypeError('This is not an answer of Fanfare as it was received.');
  return info;
}

/** The body of an answer, of which infoOf tells the rest. */
export async function answered<T extends object>(call: Promise<{ data: T; response: Response }>): Promise<T> {
  const { data, response } = await call;
  infos.set(data, readInfo(response));
  return data;
}

function readInfo({ status, headers }: Response): AnswerInfo {
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
