import { connect } from 'node:net';

/**
 * Requests a broker's metadata (Metadata request v1 without topics, kafka.apache.org/protocol) and checks that it reports a live broker, which may be
 * itself. An open port alone proves little, and this layer must not import kafkajs.
 * @param address host:port
 * @throws Error that says what is wrong
 */
export async function checkKafka(address: string, timeoutMs = 2_000): Promise<void> {
  const { host, port } = parse(address);
  await new Promise<void>((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect({ host, port });
    const end = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    socket.setTimeout(timeoutMs, () => end(new Error(`${address} does not respond in the Kafka protocol within ${timeoutMs} ms`)));
    socket.on('error', (error: NodeJS.ErrnoException) => end(new Error(`${address}: ${error.message || error.code}`)));
    socket.on('close', () => end(new Error(`${address} closes the connection on a Kafka request`)));
    socket.on('connect', () => socket.write(metadataRequest));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 12) return;
      if (received.readInt32BE(4) !== CORRELATION_ID) return end(new Error(`${address} does not speak the Kafka protocol`));
      end(received.readInt32BE(8) > 0 ? undefined : new Error(`${address} has no live broker yet`));
    });
  });
}

const CORRELATION_ID = 20170;
const metadataRequest = buildMetadataRequest();

function buildMetadataRequest(): Buffer {
  const clientId = Buffer.from('fanfare-infra');
  const body = Buffer.alloc(10 + clientId.length + 4);
  body.writeInt16BE(3, 0); // api: Metadata
  body.writeInt16BE(1, 2); // version
  body.writeInt32BE(CORRELATION_ID, 4);
  body.writeInt16BE(clientId.length, 8);
  clientId.copy(body, 10);
  // The last four bytes stay 0: an empty list of topics.
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length);
  return Buffer.concat([size, body]);
}

function parse(address: string): { host: string; port: number } {
  const match = /^\[?([^\]]+?)\]?:(\d+)$/.exec(address);
  if (!match?.[1]) throw new Error(`${address} is not of the form host:port`);
  return { host: match[1], port: Number(match[2]) };
}
