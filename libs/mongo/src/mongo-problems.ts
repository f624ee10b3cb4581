import { isLoopback, type Mode, type MongoEnv, type ProcessEnv, WITHOUT_TLS } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';

/** In production, connections to databases on other machines are encrypted. The driver says what it reads in the URL, so that no other spelling is overlooked. */
export function mongoProblems(
  { MONGODB_URL, UNENCRYPTED_NETWORK }: MongoEnv & Pick<ProcessEnv, 'UNENCRYPTED_NETWORK'>,
  { isProduction }: Mode,
): string[] {
  const options = optionsOf(MONGODB_URL);
  if (!options) return ['MONGODB_URL: is not a connection string of MongoDB, or has an option that its driver does not accept'];
  if (!isProduction || UNENCRYPTED_NETWORK === 'true') return [];
  const { tls, srvHost, hosts, rejectUnauthorized, checkServerIdentity } = options;
  const isLocal = srvHost === undefined && hosts.every(({ host }) => host === undefined || isLoopback(host));
  if (!tls && !isLocal) return [`MONGODB_URL: ${WITHOUT_TLS}`];
  // Without this, anybody on the network could pretend to be the database, and read the password.
  const isVerified = rejectUnauthorized !== false && checkServerIdentity === undefined;
  return isVerified
    ? []
    : ['MONGODB_URL: has tlsInsecure or tlsAllowInvalid…, which accepts every server; use tlsCAFile for a CA of your own'];
}

/** Undefined if the driver rejects the URL. Its message could contain a password. */
function optionsOf(url: string) {
  try {
    return new MongoClient(url).options;
  } catch {
    return undefined;
  }
}
