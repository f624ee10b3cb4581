import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Context } from '../context.ts';

interface MailServer {
  port: number;
  stop(): Promise<void>;
}

const maxBytes = 1024 * 1024;

/** A mail server that accepts mail from anyone to anyone, and forwards none. */
export async function startMailServer({ config, log, mailbox }: Context, port: number): Promise<MailServer> {
  const server = new SMTPServer({
    banner: 'The sandbox keeps what you send',
    logger: false,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    closeTimeout: 500,
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? 'anybody' }),
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then((raw) => {
          if (stream.sizeExceeded) throw Object.assign(new Error('The mail is too large'), { responseCode: 552 });
          return mailbox.deliver(
            raw,
            envelope.rcptTo.map(({ address }) => address),
          );
        })
        .then(
          () => done(),
          (error: unknown) => done(error as Error),
        );
    },
  });
  server.on('error', (error) => log.warn({ err: error }, 'a mail connection failed'));
  const listening = await new Promise<ReturnType<typeof server.listen>>((resolve, reject) => {
    server.once('error', reject);
    const net = server.listen(port, config.host, () => resolve(net));
  });
  return {
    port: (listening.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
