import { createContext } from '../src/context.ts';
import { startServer, type GatewayServer } from '../src/server.ts';
import type { RunningGateway } from './running-gateway.ts';

/** Calls of an operation, alternating between two gateways that share a database and the services behind them. */
export interface SecondGateway {
  readonly url: string;
  readonly server: GatewayServer;
  /** Like `gateway.call`, to this gateway. */
  call: RunningGateway['call'];
  stop(): Promise<void>;
}

export async function startSecond(gateway: RunningGateway): Promise<SecondGateway> {
  const { config, log } = gateway.context;
  const server = await startServer(await createContext(config, log));
  const url = `http://127.0.0.1:${server.httpPort}`;
  return {
    url,
    server,
    call: (path, { key = gateway.apiKey, headers, ...init } = {}) =>
      fetch(url + path, { ...init, headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(headers as object) } }),
    stop: () => server.stop(),
  };
}
