import { randomBytes } from 'node:crypto';
import type { PlatformName } from '../platforms/platform-name.ts';
import type { Grant, Token } from './credentials.ts';
import type { Media } from './media.ts';
import type { Post } from './post.ts';

/** An account that posts can be published to: a Page, an Instagram business account, an X user. */
export interface Account {
  id: string;
  platform: PlatformName;
  username: string;
  name: string;
  created_at: string;
  followers: number;
  /** Instagram: the Page that it is linked to. Facebook: the Instagram account linked to the Page. */
  linked_id: string | null;
  /** X: whether the user pays for longer posts. */
  subscription_type?: 'Premium';
}

/**
 * Everything that the simulated platforms store. Each table is a map of plain JSON rows, so that the whole can be written to a file;
 * a platform opens tables of its own with `table('x.uploads')`.
 */
export interface World {
  accounts: Map<string, Account>;
  grants: Map<string, Grant>;
  tokens: Map<string, Token>;
  posts: Map<string, Post>;
  media: Map<string, Media>;
  table<Row>(name: string): Map<string, Row>;
  /** Ascending and unique, also across restarts with the data. */
  nextNumber(): number;
  now(): number;
  /** Called after each change that a restart must not lose. */
  touched(): void;
  toJson(): unknown;
  load(json: unknown): void;
  clear(): void;
}

/** @param lastNumber the number before the first one */
export function createWorld(now: () => number = Date.now, lastNumber = 1000): World & { onTouched(listener: () => void): void } {
  let counter = lastNumber;
  let listener = () => {};
  const tables = new Map<string, Map<string, unknown>>();
  const table = <Row>(name: string): Map<string, Row> => {
    if (!tables.has(name)) tables.set(name, new Map());
    return tables.get(name) as Map<string, Row>;
  };
  return {
    accounts: table('accounts'),
    grants: table('grants'),
    tokens: table('tokens'),
    posts: table('posts'),
    media: table('media'),
    table,
    nextNumber: () => ++counter,
    now,
    touched: () => listener(),
    onTouched: (next) => (listener = next),
    toJson: () => ({ counter, tables: Object.fromEntries([...tables].map(([name, rows]) => [name, [...rows]])) }),
    load(json) {
      const saved = json as { counter: number; tables: Record<string, [string, unknown][]> };
      counter = saved.counter;
      for (const [name, rows] of Object.entries(saved.tables)) for (const [key, row] of rows) table(name).set(key, row);
    },
    clear() {
      for (const rows of tables.values()) rows.clear();
    },
  };
}

/** 128 bits, without characters that a URL or a form would escape. */
export function secret(prefix: string): string {
  return prefix + randomBytes(24).toString('hex');
}
