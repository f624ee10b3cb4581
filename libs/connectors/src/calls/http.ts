/** The HTTP client that connectors are given. They use the platforms' real URLs; configuration may map these to a sandbox. */
export interface PlatformHttp {
  /**
   * Sends one request and reads the whole response. A response of any status is returned; the connector's `errors` classifies it.
   * Redirects are never followed; nothing is sent twice, but for a `versioned` request whose version the platform rejected.
   * @throws PlatformFailure `transient` when no response came (`not_sent` when no byte of the request was sent, `unknown` otherwise) and when the
   * platform's breaker is open (`not_sent`, with `retryAfterMs`); `validation`, `not_sent`, for a URL that does not belong to the platform.
   */
  send(request: PlatformRequest): Promise<PlatformResponse>;
}

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The real URL: `https://graph.facebook.com/v25.0/…`. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?:
    | { readonly json: unknown }
    | { readonly form: Readonly<Record<string, string>> }
    | { readonly multipart: readonly MultipartField[] }
    | { readonly bytes: Buffer };
  /** The one call that makes the post public: it obeys the commit deadline, checked again just before the socket is written. */
  readonly commit?: boolean;
  /** Names the version of the API (`Connector.apiVersion`) in a header. */
  readonly versioned?: boolean;
}

export type MultipartField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly contentType: string; readonly bytes: Buffer }
  | StreamedFile;

/** A file that is streamed, for hosts that require a large one in a single request. Only as the last field. */
export interface StreamedFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Reads bytes `start` to `end`, both included. */
  read(start: number, end: number): Promise<Buffer>;
}

export interface PlatformResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON, or undefined if it is not JSON. */
  readonly json: unknown;
  readonly text: string;
}
