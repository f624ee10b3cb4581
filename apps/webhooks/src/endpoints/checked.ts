import { checkPublicUrl, FetchError } from '@fanfare/guarded-http';
import { DomainError } from '@fanfare/errors';
import type { Config } from '../config.ts';

/** Set by us or by HTTP itself. */
const RESERVED =
  /^(webhook-.*|content-.*|host|user-agent|connection|transfer-encoding|accept-encoding|te|trailer|upgrade|expect|proxy-.*|keep-alive)$/;

/** @returns the URL in its normal form, without a fragment, which is never sent @throws DomainError invalid_value (`url`) */
export function checkUrl(url: string, { allowedOrigins, httpsOnly }: Config['sending']): string {
  let parsed: URL;
  try {
    parsed = checkPublicUrl(url, new Set(allowedOrigins));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    throw new DomainError('invalid_value', `The URL cannot be used. ${error.message}`, { param: 'url' });
  }
  if (httpsOnly && parsed.protocol !== 'https:') throw new DomainError('invalid_value', 'The URL must be https.', { param: 'url' });
  parsed.hash = '';
  return parsed.href;
}

/** @throws DomainError invalid_value (`headers`) */
export function checkHeaders(headers: readonly { readonly name: string; readonly value: string }[]): void {
  const names = headers.map(({ name }) => name.toLowerCase());
  const reserved = names.find((name) => RESERVED.test(name));
  if (reserved !== undefined)
    throw new DomainError('invalid_value', `The header ${reserved} is reserved. Choose another name.`, { param: 'headers' });
  if (new Set(names).size < names.length)
    throw new DomainError('invalid_value', 'Each header can be given once. Names are not case-sensitive.', { param: 'headers' });
}
