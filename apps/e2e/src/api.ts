/** A response of the public API. */
export interface ApiResponse<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Calls the public API as a customer does. A response with any status is returned. */
export type Api = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse<T>>;

export function createApi(baseUrl: string, apiKey: string): Api {
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
}

/** A post as the API returns it; only the members that tests use. */
export interface PostBody {
  readonly id: string;
  readonly status: string;
  readonly published_at: string | null;
  readonly scheduled_publish_time: string | null;
  readonly caption: string;
  readonly media_details: { readonly id: string; readonly url: string; readonly type: string }[];
  readonly publish_results: {
    readonly platform: string;
    readonly integration_id: string;
    readonly status: string;
    readonly publish_id: string | null;
    readonly post_url: string | null;
    readonly error_type: string | null;
    readonly error_message: string | null;
    readonly lag_ms: number | null;
    readonly attempts: number;
  }[];
}
