import type { Call, Content, ContentMedia } from '../src/connector.ts';
import type { LoginName } from '../src/oauth.ts';
import { prove } from '../src/graph/graph-call.ts';
import type { PlatformHttp } from '../src/calls/http.ts';

export const anApp = { clientId: 'client-1', clientSecret: 'secret-of-the-app' };

/** The app of a way to sign in; of the platform's usual one when none is named. */
export const anAppOf = (login?: LoginName) => ({ ...anApp, ...(login !== undefined && { login }) });

export function aCall(http: PlatformHttp, accountId = '100', login?: LoginName): Call {
  const accessToken = 'token-of-the-account';
  const signedIn = login === undefined ? {} : { login };
  return { http, account: { accountId, username: 'acme', accessToken, ...signedIn, tokenProof: prove(anApp, accessToken) } };
}

export function aContent(more: Partial<Content> = {}): Content {
  return { caption: 'Hello world', media: [], ...more };
}

export function anImage(more: Partial<ContentMedia> = {}): ContentMedia {
  const sizeBytes = more.sizeBytes ?? 1_000;
  return {
    id: 'image-1',
    type: 'image',
    mimeType: 'image/jpeg',
    sizeBytes,
    width: 1_080,
    height: 1_080,
    altText: '',
    publicUrl: 'https://media.example.com/1.jpg',
    read: readZeros,
    ...more,
  };
}

export function aVideo(more: Partial<ContentMedia> = {}): ContentMedia {
  const wide = { type: 'video', mimeType: 'video/mp4', width: 1_920, height: 1_080, durationMs: 20_000 } as const;
  return anImage({ id: 'video-1', publicUrl: 'https://media.example.com/1.mp4', ...wide, ...more });
}

export function aReel(more: Partial<ContentMedia> = {}): ContentMedia {
  return aVideo({ width: 1_080, height: 1_920, ...more });
}

async function readZeros(start: number, end: number): Promise<Buffer> {
  return Buffer.alloc(end - start + 1);
}
