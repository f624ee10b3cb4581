import type { Logger } from '@fanfare/runtime';
import { request } from '@fanfare/runtime/http-client';
import { z } from 'zod';
import type { AspectRatio } from '../templates/template.ts';
import { createGuard } from './guarded-calls.ts';
import { failureOf, ProviderFailed } from './provider-failed.ts';

/** A stock photo. */
export interface StockPhoto {
  /** URL of the file. Fetch it only through the guarded client. */
  readonly url: string;
  readonly alt: string;
  readonly photographer: string;
}

export interface StockPhotos {
  /** Matching photos, best first; empty if none matches. @throws ProviderFailed */
  search(wanted: { readonly query: string; readonly ratio: AspectRatio }, signal: AbortSignal): Promise<StockPhoto[]>;
}

const MAX_BYTES = 1 << 20;
const MOST = 15;
const WHO = 'The stock photo provider';

const ORIENTATIONS = { '1:1': 'square', '4:5': 'portrait', '9:16': 'portrait', '16:9': 'landscape' } as const satisfies Record<
  AspectRatio,
  string
>;

/** https://www.pexels.com/api/documentation/#photos-search */
const found = z.object({
  photos: z.array(
    z.object({
      alt: z.string().nullish(),
      photographer: z.string().nullish(),
      src: z.object({ large2x: z.url().optional(), original: z.url() }),
    }),
  ),
});

/** `GET /v1/search` of the Pexels API. */
export function createStockPhotos({ url, key, timeoutMs }: { url: string; key: string; timeoutMs: number }, log: Logger): StockPhotos {
  const guard = createGuard('stock-photos', WHO, log);
  return {
    search: ({ query, ratio }, signal) =>
      guard(async () => {
        const search = new URL(`${url.replace(/\/$/, '')}/v1/search`);
        search.search = new URLSearchParams({
          query: query.slice(0, 100),
          orientation: ORIENTATIONS[ratio],
          per_page: String(MOST),
        }).toString();
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        try {
          const response = await request(search, { headers: { authorization: key, accept: 'application/json' }, signal: limited });
          const text = await response.body.text();
          if (response.statusCode !== 200) throw failureOf(WHO, response.statusCode, headerOf(response.headers['retry-after']), undefined);
          if (text.length > MAX_BYTES) throw new ProviderFailed(`${WHO} returned a response that is too large.`, { isPassing: false });
          return found.parse(JSON.parse(text)).photos.map(({ src, alt, photographer }) => ({
            url: src.large2x ?? src.original,
            alt: alt ?? '',
            photographer: photographer ?? '',
          }));
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof ProviderFailed) throw error;
          if (limited.aborted) throw new ProviderFailed(`${WHO} did not respond in time.`, { isPassing: true, cause: error });
          const isNonsense = error instanceof SyntaxError || error instanceof z.ZodError;
          throw new ProviderFailed(isNonsense ? `${WHO} returned an unexpected response.` : `${WHO} is temporarily unavailable.`, {
            isPassing: true,
            cause: error,
          });
        }
      }),
  };
}

const headerOf = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);
