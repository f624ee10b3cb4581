import type { Platform } from '../src/platform.ts';
import type { ReadCall, Reading } from '../src/reading/reading.ts';
import { connectorFor, oauthOf } from '../src/registry.ts';
import { aCall } from './a-content.ts';
import type { Respond } from './conversations/reads.ts';
import { play, type ScriptedResponse, scriptedPlatform } from './scripted-platform/scripted-platform.ts';

export type { Respond } from './conversations/reads.ts';

/** A response that is not 200. */
export class Rejection {
  readonly status: number;
  readonly json: unknown;

  constructor(status: number, json: unknown) {
    this.status = status;
    this.json = json;
  }
}

export interface AReading {
  readonly reading: Reading;
  readonly call: ReadCall;
  /** `GET /path?query` of every request, decoded, in order. */
  requests(): string[];
  close(): Promise<void>;
}

/** Something else that comes back, instead of the response to the request at an index. */
export interface Disturbance {
  readonly at: number;
  readonly response: ScriptedResponse;
  readonly timeoutMs?: number;
}

/** The read side of a platform that responds by path, to as many requests as come. */
export async function aReading(platform: Platform, accountId: string, respond: Respond, disturbed?: Disturbance): Promise<AReading> {
  const { reading } = connectorFor(platform);
  if (!reading) throw new Error(`${platform} has no read side.`);
  const scripted = await scriptedPlatform(
    Array.from({ length: 500 }, (_, index) => (request, response) => {
      if (index === disturbed?.at) return play(disturbed.response, request, response);
      const { url = '', query = {}, body } = scripted.received.at(-1) ?? {};
      const found = respond(new URL(url).pathname, query, body);
      const [status, json] = found instanceof Rejection ? [found.status, found.json] : [found === undefined ? 404 : 200, found ?? {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    }),
    { ...(disturbed?.timeoutMs !== undefined && { timeoutMs: disturbed.timeoutMs }) },
  );
  const call = {
    ...aCall(scripted.client.http(platform), accountId),
    now: new Date('2026-11-20T12:00:00Z'),
    today: '2026-11-20',
    scopes: Object.values(oauthOf(platform).features).flat(),
  };
  return {
    reading,
    call,
    requests: () =>
      scripted.received.map(({ method, url, query }) => {
        const { appsecret_proof: _proof, ...shown } = query;
        const text = Object.entries(shown).map(([name, value]) => `${name}=${value}`);
        return `${method} ${new URL(url).pathname}${text.length > 0 ? `?${text.join('&')}` : ''}`;
      }),
    close: () => scripted.close(),
  };
}
