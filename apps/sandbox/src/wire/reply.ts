/** A platform's response: JSON, an HTML page, XML (storage), a file, or nothing. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body:
    | { kind: 'json'; value: unknown }
    | { kind: 'html' | 'xml'; text: string }
    | { kind: 'file'; type: string; bytes: Uint8Array }
    | { kind: 'none' };
}

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { kind: 'json', value },
});

export const html = (status: number, text: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { kind: 'html', text },
});

export const xml = (status: number, text: string): Reply => ({ status, headers: {}, body: { kind: 'xml', text } });

export const file = (type: string, bytes: Uint8Array): Reply => ({ status: 200, headers: {}, body: { kind: 'file', type, bytes } });

export const redirect = (location: string): Reply => ({ status: 302, headers: { location }, body: { kind: 'none' } });

/** Thrown anywhere in an operation: the platform rejects the call with exactly this response. */
export class Rejection extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`rejected with ${reply.status}`);
    this.reply = reply;
  }
}
