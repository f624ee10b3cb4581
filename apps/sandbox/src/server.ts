import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import type { Context } from './context.ts';

export interface Server {
  url: string;
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
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    /** Lets go of what faults hold, gives running calls a moment, then closes what is left. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      context.faults.clear();
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), 2000);
      await closed;
      clearTimeout(impatience);
      context.flush();
    },
  };
}
