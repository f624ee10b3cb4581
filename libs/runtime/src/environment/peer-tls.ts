import { readFileSync } from 'node:fs';
import { createSecureContext, type PeerCertificate } from 'node:tls';
import { z } from 'zod';
import { hostOf, isLoopback } from '../address.ts';
import type { Logger } from '../telemetry/logger.ts';
import { setting } from './read-env.ts';

/** Certificate, key and CA of a process, as PEM. */
export interface PeerFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
}

/** How our processes authenticate each other: each has a certificate of our own CA, and servers check the names in their callers' certificates. */
export interface PeerTls {
  /** The current ones. */
  current(): PeerFiles;
  /** Called with new ones. @returns a function that ends that */
  subscribe(listener: (files: PeerFiles) => void): () => void;
  /** Whether a certificate, which TLS has verified, has one of these names; by default, one of a process that may call this one. */
  isPeer(certificate: PeerCertificate | undefined, names?: readonly string[]): boolean;
  /** Stops looking for new files. */
  close(): void;
}

export interface PeerTlsSettings {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  /** Names of callers, as in their certificates (subjectAltName: DNS names or URIs). */
  readonly peers: readonly string[];
}

/** @param callers the names of the processes that call this one; none if no process does */
export const peerTlsEnv = (callers: readonly string[]) => ({
  /**
   * PEM files: this process's certificate and key, and the CA of all our processes. All three, or none on loopback alone. Read again when they
   * change.
   */
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CA_FILE: z.string().optional(),
  /** The certificates that may call, by a DNS name or URI in them. */
  TLS_PEERS: setting.list(callers),
});

type PeerTlsEnv = z.output<z.ZodObject<ReturnType<typeof peerTlsEnv>>>;

/**
 * @param addresses of our own processes, by the names of their settings: those that this process listens on, and those that it calls (host:port, or
 *   a URL). Without TLS they must all be on this machine.
 */
export function peerTlsProblems(
  read: PeerTlsEnv,
  { listening = {}, calling = {} }: { listening?: Readonly<Record<string, string>>; calling?: Readonly<Record<string, string>> },
): string[] {
  const files = { TLS_CERT_FILE: read.TLS_CERT_FILE, TLS_KEY_FILE: read.TLS_KEY_FILE, TLS_CA_FILE: read.TLS_CA_FILE };
  const set = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (set.length === 3) return set.flatMap(([name, file]) => unreadable(name, file));
  if (set.length > 0) return ['TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE: set all three or none'];
  const remote = (addresses: Readonly<Record<string, string>>) =>
    Object.entries(addresses).filter(([, address]) => !isLoopback(hostOf(address)));
  return [
    ...remote(listening).map(([name]) => `${name}: is reachable from other machines and requires ${ALL_FILES}`),
    ...remote(calling).map(([name]) => `${name}: is on another machine and requires ${ALL_FILES}`),
  ];
}

const ALL_FILES = 'TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE';

function unreadable(name: string, file: string): string[] {
  try {
    pem(name, file);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

export function peerTlsSettings(read: PeerTlsEnv): PeerTlsSettings | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile, TLS_PEERS: peers } = read;
  return certFile === undefined || keyFile === undefined || caFile === undefined ? undefined : { certFile, keyFile, caFile, peers };
}

const RELOAD_MS = 10_000;

/**
 * Reads the files, and again every ten seconds: mounted secrets change by a symbolic link, which file watchers do not notice. If the files do not fit
 * together, for example while they are being replaced, the previous ones stay in use.
 * @throws Error if they cannot be used at the start
 */
export function createPeerTls(settings: PeerTlsSettings, log: Logger, reloadMs = RELOAD_MS): PeerTls {
  const listeners = new Set<(files: PeerFiles) => void>();
  let files = read(settings);
  let lastProblem: string | undefined;
  const timer = setInterval(() => {
    try {
      const found = read(settings);
      lastProblem = undefined;
      if (isSame(found, files)) return;
      files = found;
      for (const listener of listeners) listener(files);
      log.info('loaded a new certificate for calls between services');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== lastProblem)
        log.error({ err: error }, 'could not load the new certificate for calls between services; the previous one stays in use');
      lastProblem = why;
    }
  }, reloadMs).unref();
  return {
    current: () => files,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isPeer: (certificate, names = settings.peers) => namesIn(certificate).some((name) => names.includes(name)),
    close: () => clearInterval(timer),
  };
}

function read({ certFile, keyFile, caFile }: PeerTlsSettings): PeerFiles {
  const files = { cert: pem('TLS_CERT_FILE', certFile), key: pem('TLS_KEY_FILE', keyFile), ca: pem('TLS_CA_FILE', caFile) };
  createSecureContext(files);
  return files;
}

function pem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${name}: cannot be read. ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

const isSame = (a: PeerFiles, b: PeerFiles) => a.cert.equals(b.cert) && a.key.equals(b.key) && a.ca.equals(b.ca);

/** Node quotes a name that could be parsed as several; such a name matches nobody. */
const namesIn = (certificate: PeerCertificate | undefined): string[] =>
  (certificate?.subjectaltname ?? '').split(', ').flatMap((name) => /^(?:DNS|URI):([^"\s]+)$/.exec(name)?.[1] ?? []);
