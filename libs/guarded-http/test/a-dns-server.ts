import { promises as dns } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { createServer, Packet } from 'dns2';

export interface ADnsServer {
  /** Uses only this server. */
  readonly lookup: LookupFunction;
  /** The names of the requests, in order. */
  readonly requested: readonly string[];
  stop(): Promise<void>;
}

/** A real DNS server. Each lookup of a name gets the next response of its list; the last one repeats. */
export async function aDnsServer(names: Record<string, string[][]>): Promise<ADnsServer> {
  const requested: string[] = [];
  const server = createServer({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const [{ name, type } = { name: '', type: 0 }] = request.questions as { name: string; type: number }[];
      const known = names[name] ?? [];
      // One lookup sends a question for each address family; both get the same response.
      if (type === Packet.TYPE.A) requested.push(name);
      const turn = Math.min(known.length, requested.filter((one) => one === name).length) - 1;
      for (const address of known[turn] ?? []) {
        const isOfType = isIPv6(address) ? type === Packet.TYPE.AAAA : type === Packet.TYPE.A;
        if (isOfType) response.answers.push({ name, type, class: Packet.CLASS.IN, ttl: 0, address } as never);
      }
      void send(response);
    },
  });
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const { port } = server.addresses().udp as { port: number };
  const resolver = new dns.Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);

  const resolve = async (host: string) => {
    const v4 = (await resolver.resolve4(host).catch(() => [])).map((address) => ({ address, family: 4 }));
    const v6 = (await resolver.resolve6(host).catch(() => [])).map((address) => ({ address, family: 6 }));
    return [...v4, ...v6];
  };
  return {
    requested,
    lookup: (host, _options, callback) => void resolve(host).then((found) => callback(null, found)),
    stop: () => server.close(),
  };
}
