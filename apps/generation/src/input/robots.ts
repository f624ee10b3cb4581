import { FetchError, type GuardedClient } from '@fanfare/guarded-http';
import robots from 'robots-parser';
import { SourceRejected, SourceUnavailable } from './source.ts';

/** A CommonJS module: the default import is the function itself, other than its types say. */
const parseRobots = robots as unknown as typeof robots.default;

/** The user agent in robots.txt. */
const ROBOT = 'FanfareBot';
export const USER_AGENT = `${ROBOT}/1.0`;
/** RFC 9309, 2.5. */
const MAX_BYTES = 500 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Checks whether a site allows reading a page (RFC 9309). Without a robots.txt it does; if its server fails, it does not.
 * @throws SourceRejected if reading is not allowed; SourceUnavailable if that is unknown now
 */
export async function checkRobots(web: GuardedClient, page: string, signal: AbortSignal): Promise<void> {
  const url = new URL('/robots.txt', page).href;
  const rules = await read(web, url, signal);
  if (parseRobots(url, rules).isAllowed(page, ROBOT) === false)
    throw new SourceRejected('The robots.txt of the website does not allow reading this page. Send its text as content instead.');
}

async function read(web: GuardedClient, url: string, signal: AbortSignal): Promise<string> {
  try {
    return await web.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, accept: 'text/plain', signal }, async ({ body }) => {
      const parts: Buffer[] = [];
      for await (const part of body) parts.push(part);
      return Buffer.concat(parts).toString('utf8');
    });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { reason } = error;
    if (reason.startsWith('status_4') && reason !== 'status_429') return '';
    if (reason.startsWith('status_'))
      throw new SourceUnavailable('The robots.txt of the website is temporarily unavailable.', { cause: error });
    throw asSourceError(error);
  }
}

/** Reasons that may be temporary. */
const PASSING = new Set(['unreachable', 'no_response', 'timeout', 'too_slow', 'incomplete', 'bad_response', 'status_429']);

/** The error about the website for a failed fetch. */
export function asSourceError(error: FetchError): SourceRejected | SourceUnavailable {
  const { reason, message } = error;
  const isPassing = PASSING.has(reason) || reason.startsWith('status_5');
  const text = reason.startsWith('status_') ? `The page responded with status ${reason.slice('status_'.length)}.` : message;
  return isPassing ? new SourceUnavailable(text, { cause: error }) : new SourceRejected(text, { cause: error });
}
