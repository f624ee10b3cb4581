import { connect } from 'node:net';
import type { AdminAddresses } from '@fanfare/stack';

/** The environment variable with the address of a service's gRPC server. */
export const ADDRESS_SETTINGS = {
  gateway: 'GATEWAY_ADMIN_ADDRESS',
  content: 'CONTENT_ADDRESS',
  publisher: 'PUBLISHER_ADDRESS',
  webhooks: 'WEBHOOKS_ADDRESS',
} as const satisfies Record<keyof AdminAddresses, string>;

const CONNECT_LIMIT_MS = 2_000;

/** A sentence that names the services that are not running and says what to do; undefined if all of them are. */
export async function describeNotRunning(addresses: AdminAddresses): Promise<string | undefined> {
  const names = Object.keys(ADDRESS_SETTINGS) as (keyof AdminAddresses)[];
  const missing = (await Promise.all(names.map(async (name) => ((await listens(addresses[name])) ? [] : [name])))).flat();
  if (missing.length === 0) return undefined;
  const which = listed(missing.map((name) => `${name === 'gateway' ? 'the gateway' : `the ${name} service`} (${addresses[name]})`));
  const settings = listed(missing.map((name) => ADDRESS_SETTINGS[name]));
  const sentence = `${which} ${missing.length === 1 ? 'is' : 'are'} not running. Start Fanfare with npm start, or set ${settings} to host:port.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const listed = (words: readonly string[]) => new Intl.ListFormat('en').format(words);

function listens(address: string): Promise<boolean> {
  const at = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)), timeout: CONNECT_LIMIT_MS });
  return new Promise((resolve) => {
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
