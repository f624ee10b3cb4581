import { createCaller } from './caller.ts';
import { audit } from './resources/audit.ts';
import { auth } from './resources/auth.ts';
import { businesses } from './resources/businesses.ts';
import { categories } from './resources/categories.ts';
import { feedback } from './resources/feedback.ts';
import { files } from './resources/files.ts';
import { folders } from './resources/folders.ts';
import { health } from './resources/health.ts';
import { integrations } from './resources/integrations.ts';
import { invitations } from './resources/invitations.ts';
import { keys } from './resources/keys.ts';
import { me } from './resources/me.ts';
import { media } from './resources/media.ts';
import { members } from './resources/members.ts';
import { oidc } from './resources/oidc.ts';
import { organizations } from './resources/organizations.ts';
import { plan } from './resources/plan.ts';
import { platforms } from './resources/platforms.ts';
import { posts } from './resources/posts.ts';
import { sessions } from './resources/sessions.ts';
import { topics } from './resources/topics.ts';
import { usage } from './resources/usage.ts';

export interface FanfareSettings {
  /** Where the API is, without /api. */
  readonly baseUrl: string;
  /** An API key, or the access token of a signed-in user; a function is asked before each request. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The version of the API; the types of this library describe the one that it takes unless told otherwise. */
  readonly version?: string | undefined;
  /** Instead of the global one. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** For each try; 60 s. */
  readonly timeoutMs?: number | undefined;
  /** Tries after the first; 2. */
  readonly maxRetries?: number | undefined;
}

/** The version of the API that the types describe. */
export const API_VERSION = '2026-08-06';

export type Fanfare = ReturnType<typeof createFanfare>;

/** A client of the API. It holds no connection and nothing to close. */
export function createFanfare({
  baseUrl,
  apiKey,
  version = API_VERSION,
  timeoutMs = 60_000,
  maxRetries = 2,
  fetch: custom,
}: FanfareSettings) {
  // Looked up at each call: whoever replaces the global fetch is heard.
  const fetch = custom ?? ((request: Request) => globalThis.fetch(request));
  const caller = createCaller(baseUrl.replace(/\/+$/, ''), { apiKey, version, fetch, timeoutMs, maxRetries });
  return {
    businesses: businesses(caller),
    posts: posts(caller),
    files: files(caller),
    folders: folders(caller),
    media: media(caller),
    integrations: integrations(caller),
    platforms: platforms(caller),
    topics: topics(caller),
    categories: categories(caller),
    keys: keys(caller),
    organizations: organizations(caller),
    plan: plan(caller),
    usage: usage(caller),
    audit: audit(caller),
    feedback: feedback(caller),
    health: health(caller),
    auth: auth(caller),
    oidc: oidc(caller),
    sessions: sessions(caller),
    me: me(caller),
    members: members(caller),
    invitations: invitations(caller),
  };
}
