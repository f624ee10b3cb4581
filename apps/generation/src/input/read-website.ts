import { FetchError, type FetchedResponse, type GuardedClient } from '@fanfare/guarded-http';
import { decodeHtml } from './decode-html.ts';
import { languageOf } from './language-of.ts';
import { mainText } from './main-text.ts';
import { asSourceError, checkRobots } from './robots.ts';
import { SourceRejected, type Source } from './source.ts';
import { shortened } from './shortened.ts';
import { sizeOf } from './size-of.ts';

const MAX_BYTES = 5 << 20;
const TIMEOUT_MS = 15_000;
const LEAST_CHARACTERS = 200;
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
const PLAIN = /^text\/plain\b/i;

interface Fetched {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly url: string;
}

/**
 * Reads the main text of a page, if robots.txt allows it.
 * @throws SourceRejected, SourceUnavailable
 */
export async function readWebsite(web: GuardedClient, given: string, signal: AbortSignal): Promise<Source> {
  await checkRobots(web, given, signal);
  const { bytes, contentType, url } = await fetchPage(web, given, signal);
  // A redirect can lead to another site with its own robots.txt.
  if (new URL(url).origin !== new URL(given).origin) await checkRobots(web, url, signal);
  const decoded = decodeHtml(bytes, contentType);
  const page = PLAIN.test(contentType) ? { title: '', text: decoded.trim(), language: undefined, isLogin: false } : mainText(decoded);
  if (sizeOf(page.text) < LEAST_CHARACTERS) {
    throw new SourceRejected(
      page.isLogin
        ? 'The page requires a login. Send its text as content instead.'
        : 'The page has too little text. Send the text as content instead.',
    );
  }
  const text = shortened(page.text);
  return { kind: 'website', title: page.title.slice(0, 300), text, language: await languageOf(text, page.language), url };
}

async function fetchPage(web: GuardedClient, url: string, signal: AbortSignal): Promise<Fetched> {
  const options = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, accept: 'text/html,application/xhtml+xml,text/plain;q=0.8', signal };
  try {
    return await web.fetch(url, options, readPage);
  } catch (error) {
    throw error instanceof FetchError ? asSourceError(error) : error;
  }
}

async function readPage({ body, contentType = 'text/html', finalUrl: url }: FetchedResponse): Promise<Fetched> {
  if (!HTML.test(contentType) && !PLAIN.test(contentType))
    throw new SourceRejected(`The URL is not a web page: its content type is ${contentType.slice(0, 60)}.`);
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.subarray(0, 1_024).includes(0) && !/utf-16/i.test(contentType) && bytes[0] !== 0xff && bytes[0] !== 0xfe)
    throw new SourceRejected('The URL is not a web page: it responded with binary data.');
  return { bytes, contentType, url };
}
