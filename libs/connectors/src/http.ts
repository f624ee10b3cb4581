/** The HTTP client that connectors are handed. They name the platforms' real URLs; where those go is configuration. */
export interface PlatformHttp {
  /**
   * Sends one request and reads the whole answer. An answer of any status is returned; the connector's `errors` classifies it.
   * Redirects are never followed; nothing is sent twice.
   * @throws PlatformFailure `transient` when no answer came (`not_sent` when no byte of the request left us, `unknown` otherwise) and when the
   * platform's breaker is open (`not_sent`, with `retryAfterMs`); `validation`, `not_sent`, for a URL that is none of the platform's.
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
}

export type MultipartField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly filename: string; readonly contentType: string; readonly bytes: Buffer }
  | StreamedFile;

/** A file that is read while it is sent, piece by piece, for hosts that want a large one in one request. Only as the last field. */
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
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
  readonly text: string;
}
