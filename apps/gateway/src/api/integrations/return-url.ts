import { DomainError } from '@fanfare/errors';
import type { Config } from '../../config.ts';

type Known = Pick<Config, 'consoleUrl' | 'connectReturnUrls'>;

/** Whether browsers may be redirected there: to a page of the web app, or to a URL on a fixed list. Anything else would be an open redirect. */
export function isReturnUrl({ consoleUrl, connectReturnUrls }: Known, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return url.origin === new URL(consoleUrl).origin || connectReturnUrls.some((listed) => pageOf(new URL(listed)) === pageOf(url));
}

/** @throws DomainError invalid_value */
export function checkReturnUrl(known: Known, text: string): void {
  if (isReturnUrl(known, text)) return;
  const detail = 'Browsers cannot be redirected there: use a page of the web app or a URL that the operator has allowed.';
  throw new DomainError('invalid_value', detail, { param: 'redirect_uri' });
}

const pageOf = ({ origin, pathname }: URL) => origin + pathname;
