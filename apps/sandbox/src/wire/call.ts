import type { Body } from './body.ts';

/** One request as the real host would see it. */
export interface Call {
  host: string;
  method: string;
  /** Without the host segment that addresses the sandbox. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: Body;
  /** Named parts of the operation's path. */
  params: Record<string, string>;
  consent: Consent;
  /** Set by a fault: how the background work that this call starts will go. */
  processing: { ms?: number; error?: { code?: number; message?: string } };
}

/** Answers the consent page without a person; never part of what the platform sees. */
export interface Consent {
  answer: 'allow' | 'deny' | null;
  accountId: string | null;
}
