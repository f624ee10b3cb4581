import { eventually } from '@fanfare/testing';

/** A post on a simulated platform. */
export interface SandboxPost {
  readonly id: string;
  readonly platform: string;
  readonly account_id: string;
  /** `failed`: the platform has rejected it, and nobody sees it. */
  readonly state: string;
  readonly text: string;
  readonly media: readonly object[];
  readonly comments: readonly { readonly text: string }[];
}

/** A request as the real host would have seen it. */
export interface SandboxRequest {
  /** Ascending. */
  readonly seq: number;
  /** ISO time. */
  readonly at: string;
  readonly platform: string;
  /** `x.create_post`; null if the platform has no such call. */
  readonly operation: string | null;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly status: number | null;
  /** Null as long as the caller waits. */
  readonly duration_ms: number | null;
}

/** A mail as it was received. */
export interface SandboxMail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A webhook as the receiver of the sandbox got it. */
export interface SandboxWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly signature: string;
}

export type Fault = { readonly type: string } & Record<string, unknown>;

/** The world outside: what it received, and faults on demand. */
export interface Sandbox {
  readonly url: string;
  posts(text?: string): Promise<SandboxPost[]>;
  /** @param filter.since a sequence number: only later ones */
  requests(filter?: { platform?: string; path?: string; since?: number }): Promise<SandboxRequest[]>;
  /** Newest first. */
  mails(to: string): Promise<SandboxMail[]>;
  /** What has arrived at a receiver, oldest first. Its URL is `{url}/_webhooks/{name}`. */
  webhooks(name: string): Promise<SandboxWebhook[]>;
  /** Sets the secret of a receiver, or how it responds. */
  setReceiver(name: string, settings: { readonly secret?: string | null; readonly behavior?: object }): Promise<void>;
  /**
   * @param call an operation such as `x.create_post`
   * @param after how many calls pass first
   */
  fault(call: string, fault: Fault, times?: number | null, after?: number): Promise<HeldFault>;
  /** How far each fault is: how often it has fired, and whether it holds a request now. */
  faults(): Promise<{ readonly id: string; readonly fired: number; readonly holding: boolean }[]>;
  clearFaults(): Promise<void>;
  /** Creates another account of the person who is signed in there. @returns the platform's id of it */
  createAccount(platform: string, username: string): Promise<string>;
  reset(): Promise<void>;
}

export interface HeldFault {
  readonly id: string;
  /** Waits until a request is being held. */
  untilHolding(): Promise<void>;
  /** Waits until the sandbox notices that the caller of a held request has disconnected: such a request is never carried out. */
  untilAbandoned(): Promise<void>;
  /** Waits until it has fired. */
  untilFired(): Promise<void>;
  /** Releases the requests that it holds, and deletes it. */
  remove(): Promise<void>;
}

export function createSandbox(url: string): Sandbox {
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      // A kept connection may be closed by the sandbox at the moment in which it is used again.
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /_control/${path} returned ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };

  const faults = async () => (await control<{ items: { id: string; fired: number; holding: boolean }[] }>('GET', 'faults')).items;

  return {
    url,
    faults,
    async posts(text) {
      const { items } = await control<{ items: SandboxPost[] }>('GET', 'posts?limit=20000');
      return text === undefined ? items : items.filter((post) => post.text === text);
    },
    async requests(filter = {}) {
      const query = new URLSearchParams({
        limit: '1000',
        ...(filter.platform && { platform: filter.platform }),
        ...(filter.path && { path: filter.path }),
        ...(filter.since !== undefined && { since: String(filter.since) }),
      });
      return (await control<{ items: SandboxRequest[] }>('GET', `requests?${query.toString()}`)).items;
    },
    async mails(to) {
      return (await control<{ items: SandboxMail[] }>('GET', `mails?to=${encodeURIComponent(to)}`)).items;
    },
    async webhooks(name) {
      return (await control<{ items: SandboxWebhook[] }>('GET', `webhooks?name=${name}&limit=5000`)).items.toReversed();
    },
    setReceiver: (name, settings) => control('PUT', `webhooks/${name}`, settings),
    async fault(call, fault, times = 1, after = 0) {
      const { id } = await control<{ id: string }>('POST', 'faults', { platform: call.split('.')[0], call, times, after, fault });
      const state = async () => (await faults()).find((one) => one.id === id);
      return {
        id,
        untilHolding: () => eventually(async () => (await state())?.holding === true).then(() => undefined),
        untilAbandoned: () => eventually(async () => (await state())?.holding === false).then(() => undefined),
        untilFired: () => eventually(async () => ((await state())?.fired ?? 0) > 0).then(() => undefined),
        remove: () => control('DELETE', `faults/${id}`),
      };
    },
    clearFaults: () => control('DELETE', 'faults'),
    async createAccount(platform, username) {
      return (await control<{ id: string }>('POST', 'accounts', { platform, username, name: username })).id;
    },
    reset: () => control('POST', 'reset'),
  };
}
