import { ChannelCredentials, experimental, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import type { PeerFiles, PeerTls } from '@fanfare/runtime';

/** What a server proves itself with, and asks of its callers: a certificate of our CA. Without TLS, nothing: on loopback alone. */
export function serverCredentials(tls: PeerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const provider = certificatesOf(tls);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** The same for a client, which also holds the server's name against its certificate. */
export function clientCredentials(tls: PeerTls | undefined): ChannelCredentials {
  if (!tls) return ChannelCredentials.createInsecure();
  const provider = certificatesOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

/**
 * Whether the caller's certificate has the name of one that may call; always without TLS.
 * @param names those that may, instead of the ones that may call the process in general
 */
export function mayCall(
  tls: PeerTls | undefined,
  call: Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext'>,
  names?: readonly string[],
): boolean {
  return !tls || tls.isPeer(call.getAuthContext().sslPeerCertificate, names);
}

/** Gives new connections the newest files; those that are open stay, for five minutes at most (`max_connection_age`). */
function certificatesOf(tls: PeerTls): experimental.CertificateProvider {
  const listeners = new Map<unknown, () => void>();
  const add = <T>(listener: (update: T) => void, updateOf: (files: PeerFiles) => T) => {
    listeners.set(
      listener,
      tls.subscribe((files) => listener(updateOf(files))),
    );
    process.nextTick(() => listener(updateOf(tls.current())));
  };
  const remove = (listener: unknown) => {
    listeners.get(listener)?.();
    listeners.delete(listener);
  };
  return {
    addCaCertificateListener: (listener) => add(listener, ({ ca }) => ({ caCertificate: ca })),
    removeCaCertificateListener: remove,
    addIdentityCertificateListener: (listener) => add(listener, ({ cert, key }) => ({ certificate: cert, privateKey: key })),
    removeIdentityCertificateListener: remove,
  };
}
