import { Pool, type Dispatcher } from 'undici';

/** The request that is repeated. */
export interface Target {
  readonly origin: string;
  /** Called for each request. */
  request(): Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>;
}

export interface Load {
  readonly responses: number;
  readonly seconds: number;
  /** Latency of each request, in the order of the responses. */
  readonly latenciesMs: readonly number[];
  /** Total size of all bodies. */
  readonly bytes: number;
}

/** Sends until the time is over, or the requests are used up. */
export interface Extent {
  readonly seconds: number;
  readonly requests?: number;
}

/** Requests to one target over persistent connections. */
export interface LoadGenerator {
  /**
   * Keeps `concurrency` requests in flight: each response is followed by the next request.
   * @throws Error at the first response that is not 2xx, or without a response
   */
  run(extent: Extent): Promise<Load>;
  close(): Promise<void>;
}

/** Cheap on purpose, because it uses CPU of the same machine: no streams, no promises, no copies of a request or a response. */
export function createLoadGenerator(target: Target, concurrency: number): LoadGenerator {
  const pool = new Pool(target.origin, { connections: concurrency, pipelining: 1 });
  return {
    run: (extent) => generate(pool, target, concurrency, extent),
    close: () => pool.close(),
  };
}

function generate(pool: Pool, target: Target, concurrency: number, { seconds, requests = Infinity }: Extent): Promise<Load> {
  const latenciesMs: number[] = [];
  let bytes = 0;
  let sent = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;

  return new Promise((resolve, reject) => {
    let lanes = concurrency;
    const next = () => {
      if (sent < requests && performance.now() < end) return send();
      if (--lanes > 0) return;
      const tookSeconds = (performance.now() - begun) / 1000;
      resolve({ responses: latenciesMs.length, seconds: tookSeconds, latenciesMs, bytes });
    };
    const send = () => {
      sent++;
      const request = target.request();
      const sentAt = performance.now();
      let status = 0;
      let rejection = '';
      const fail = (what: string) => reject(new Error(`${request.method} ${target.origin}${request.path} ${what}`));
      pool.dispatch(request, {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData: (_controller, chunk) => {
          bytes += chunk.length;
          if (!isSuccess(status)) rejection += chunk.toString();
        },
        onResponseEnd: () => {
          if (!isSuccess(status)) return fail(`returned ${status}: ${rejection.slice(0, 300)}`);
          latenciesMs.push(performance.now() - sentAt);
          next();
        },
        onResponseError: (_controller, error) => fail(`did not respond: ${error.message}`),
      });
    };
    for (let lane = 0; lane < concurrency; lane++) send();
  });
}

const isSuccess = (status: number) => status >= 200 && status < 300;
