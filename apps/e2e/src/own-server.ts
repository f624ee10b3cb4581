import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePorts, startInfra, type Infra } from '@fanfare/infra';

/** A MongoDB or Kafka that only this test uses, because it becomes unavailable. */
export interface OwnServer {
  readonly address: Pick<Infra, 'mongoUrl' | 'kafkaBrokers'>;
  /** Starts it again, at the same address and with its data. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it, and deletes its data. */
  end(): Promise<void>;
}

const SETTINGS = { mongo: 'MONGODB_URL', kafka: 'KAFKA_BROKERS' } as const;

export async function startOwnServer(server: keyof typeof SETTINGS): Promise<OwnServer> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), `fanfare-${server}-`));
  const [port = 0] = await freePorts(1);
  let running: Infra | undefined;
  const start = async () => {
    // The other one is the one that all tests share.
    const { [SETTINGS[server]]: shared, ...env } = process.env;
    const before = process.env;
    process.env = env;
    try {
      running = await startInfra({ dataDir, keepData: true, ports: { [server]: port }, onProgress: () => undefined });
    } finally {
      process.env = before;
    }
    if (shared === undefined) throw new Error('Run it with `npm test -- <path>`.');
    return running;
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    address: await start(),
    start: async () => void (await start()),
    stop,
    async end() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
