import { DomainError } from '@fanfare/errors';

/** There are two pages, and all is on the first one. */
export const pageOf = <T>(all: readonly T[], { pageToken }: { readonly pageToken: string }): T[] => (pageToken === 'more' ? [] : [...all]);
export const tokenAfter = ({ pageToken }: { readonly pageToken: string }): string => (pageToken === 'more' ? '' : 'more');

/** The page at the cursor, with as many rows as the request wants. */
export function pageAt<T>(
  rows: readonly T[],
  { pageSize, pageToken }: { readonly pageSize: number; readonly pageToken: string },
): { rows: T[]; nextPageToken: string } {
  if (pageToken !== '' && !/^at-\d+$/.test(pageToken))
    throw new DomainError('invalid_request', 'Not a cursor of this list.', { param: 'cursor' });
  const from = Number(pageToken.slice(3));
  return { rows: rows.slice(from, from + pageSize), nextPageToken: from + pageSize < rows.length ? `at-${from + pageSize}` : '' };
}
