import type { Body } from './body.ts';

/** One request as the real host would see it. */
export interface Call {
  /** The sandbox's address as the caller used it: for URLs that the caller will fetch. */
  origin: string;
  host: string;
  method: string;
  /** Without the host segment that addresses the sandbox. */
  path: string;
  query: URLSearchParams;
  /** The query as it was sent, for protocols in which encoded characters differ from plain ones. */
  search: string;
  headers: Record<string, string>;
  body: Body;
  /** Named parts of the operation's path. */
  params: Record<string, string>;
  consent: Consent;
  /** Set by a fault: the result of the background processing that this call starts. */
  processing: { ms?: number; error?: { code?: number; message?: string } };
}

/** Skips the consent page; not visible to the platform. */
export interface Consent {
  decision: 'allow' | 'deny' | null;
  accountId: string | null;
}
