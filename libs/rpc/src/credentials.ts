import { ChannelCredentials, experimental, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import type { PeerFiles, PeerTls } from '@fanfare/runtime';

/** Server credentials: with TLS, both sides need a certificate of our CA. Without TLS, only for loopback. */
export function serverCredentials(tls: PeerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const provider = certificatesOf(tls);
  return experimental.createCertificateProviderServerCredentials(provider, provider, true);
}

/** Client credentials. With TLS, the client also verifies the server's name. */
export function clientCredentials(tls: PeerTls | undefined): ChannelCredentials {
  if (!tls) return ChannelCredentials.createInsecure();
  const provider = certificatesOf(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

/**
 * Whether the caller's certificate has an allowed name. Always true without TLS.
 * @param names the allowed names; default: the peers that may call this process
 */
export function mayCall(
  tls: PeerTls | undefined,
  call: Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext'>,
  names?: readonly string[],
): boolean {
  return !tls || tls.isPeer(call.getAuthContext().sslPeerCertificate, names);
}

/** Uses the newest files for new connections. Open connections keep theirs, for about a minute (`max_connection_age`). */
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
