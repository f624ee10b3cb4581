import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import type { Context } from './context.ts';
import { startMailServer } from './mail/mail-server.ts';

export interface Server {
  url: string;
  /** Null when mail is disabled. */
  smtpPort: number | null;
  stop(): Promise<void>;
}

export async function startServer(context: Context): Promise<Server> {
  const { config } = context;
  const server = createServer(createApp(context));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const mail = config.smtpPort === null ? null : await startMailServer(context, config.smtpPort);
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    smtpPort: mail?.port ?? null,
    /** Releases held requests, gives running calls a moment, then closes the remaining connections. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      context.faults.clear();
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), 2000);
      await Promise.all([closed, mail?.stop()]);
      clearTimeout(impatience);
      context.flush();
      context.spool.clear();
    },
  };
}
