/** Request headers on which the response to a request for media may depend (RFC 9110, 12.5, 13.1 and 14). The gateway forwards no other headers. */
export const MEDIA_REQUEST_HEADERS = [
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
  'accept',
] as const;

export type MediaRequestHeaders = { readonly [Name in (typeof MEDIA_REQUEST_HEADERS)[number]]?: string | undefined };
