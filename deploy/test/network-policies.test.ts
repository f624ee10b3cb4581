// The NetworkPolicies allow what the code connects to, and nothing else. What it connects to is read from the code: clients of other services, settings of
// MongoDB and Kafka, and the two HTTP clients that leave the installation.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { PROFILES, renderOf, type KubernetesObject } from '../src/chart.ts';
import { callersOf, SERVICES, settingsOf, type Service } from '../src/settings-of.ts';

const ROOT = path.join(import.meta.dirname, '../..');

const sourcesOf = (service: Service) =>
  globSync(`apps/${service}/src/**/*.ts`, { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') })
    .filter((file) => !/\.test\.ts$|\/preview-templates\.ts$/.test(file))
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));

/** `library/grpc`, `library/http`: a service, and a port of it. */
const CALLS = new Map(SERVICES.map((service) => [service, callsIn(service, sourcesOf(service))]));
const callsOf = (service: Service): readonly string[] => CALLS.get(service) ?? [];

function callsIn(service: Service, sources: readonly string[]): string[] {
  const grpc = sources.flatMap(rpcTargetsIn).map((target) => `${target}/grpc`);
  // An HTTP client with our certificate: only the library has such a port.
  const isHttp = service !== 'library' && sources.some((text) => /from '(?:undici|node:https)'/.test(text) && /\bPeerTls\b/.test(text));
  return [...new Set([...grpc, ...(isHttp ? ['library/http'] : [])])].sort();
}

/** Ports on the internet, by the clients that a service creates; S3, models and speech to text are the operator's, and https. */
function internetOf(service: Service): number[] {
  const text = sourcesOf(service).join('\n');
  if (service === 'gateway') return [];
  if (/createGuardedClient\(/.test(text)) return GUARDED_PORTS;
  return /createPlatformClient\(/.test(text) ? [443] : [];
}

const GUARDED_PORTS =
  /ALLOWED_PORTS[^=]*= new Set\(\[([^\]]*)\]/
    .exec(readFileSync(path.join(ROOT, 'libs/guarded-http/src/check-url.ts'), 'utf8'))?.[1]
    ?.match(/\d+/g)
    ?.map(Number) ?? [];

function rpcTargetsIn(text: string): string[] {
  return [...text.matchAll(/createRpcClient\(\{\s*target: '(\w+)'/g)].map(([, target = '']) => target);
}
/** What `npm run admin` calls. */
const OPERATORS_CALL = rpcTargetsIn(readFileSync(path.join(ROOT, 'libs/stack/src/operator.ts'), 'utf8')).sort();

const PORTS: Readonly<Record<string, number>> = { grpc: 9000, http: 8080, admin: 9100 };
const COMPONENT = 'app.kubernetes.io/component';

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port: number }[];
}
interface Peer {
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly namespaceSelector?: unknown;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

const POLICIES = new Map(PROFILES.map((profile) => [profile, renderOf(profile).filter(({ kind }) => kind === 'NetworkPolicy')]));
const policiesOf = (profile: string) => POLICIES.get(profile) ?? [];
const policyOf = (profile: string, component: string) =>
  policiesOf(profile).find(({ spec }) => spec.podSelector.matchLabels[COMPONENT] === component);
const componentsIn = (peers: readonly Peer[] = []) => peers.flatMap(({ podSelector }) => podSelector?.matchLabels[COMPONENT] ?? []);
/** Connections to or from other pods of the installation: `content:9000`. */
const insideOf = (rules: readonly Rule[] = []) =>
  rules.flatMap(({ from, to, ports }) => componentsIn(from ?? to).flatMap((one) => ports.map(({ port }) => `${one}:${port}`))).sort();
const internetIn = (policy: KubernetesObject | undefined) =>
  (policy?.spec.egress as Rule[]).filter(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0'));

/** A pod that does the background work of a service has the connections of that service. */
const WORKERS: Readonly<Record<string, Service>> = { 'analytics-snapshots': 'analytics', 'generation-jobs': 'generation' };
const podsOf = (profile: string) => [...SERVICES, ...(policyOf(profile, 'generation-jobs') ? Object.keys(WORKERS) : [])];
const serviceOf = (pod: string) => WORKERS[pod] ?? (pod as Service);

test('the code has the clients that its settings have addresses for, and they are those that the callee lists as callers', async () => {
  for (const service of SERVICES) {
    const { names } = await settingsOf(service);
    const addressed = names.flatMap((name) => {
      const [, target = '', kind] = /^(CONTENT|LIBRARY|PUBLISHER|ANALYTICS|GENERATION|WEBHOOKS)_(ADDRESS|HTTP_URL)$/.exec(name) ?? [];
      return target && kind === 'ADDRESS' ? [`${target.toLowerCase()}/grpc`] : [];
    });
    expect([service, callsOf(service).filter((call) => call.endsWith('/grpc'))]).toEqual([service, addressed.sort()]);
    const callers = SERVICES.filter((one) => callsOf(one).some((call) => call.startsWith(`${service}/`)));
    expect([service, (await callersOf(service)).filter((name) => name !== 'operator').sort()]).toEqual([service, callers]);
  }
});

describe.each(PROFILES)('%s', (profile) => {
  test('a connection inside is allowed on both sides if the code makes it, and only then', () => {
    const isDev = profile === 'dev';
    const hasSandbox = policyOf(profile, 'sandbox') !== undefined;
    for (const pod of podsOf(profile)) {
      const called = callsOf(serviceOf(pod)).map((call) => call.replace(/\/(\w+)$/, (_, port: string) => `:${PORTS[port]}`));
      const toSandbox =
        hasSandbox && (isDev ? pod !== 'content' : pod === 'publisher')
          ? ['sandbox:8080', ...(pod === 'gateway' ? ['sandbox:1025'] : [])]
          : [];
      const own = isDev ? ['mongodb:27017', 'kafka:9092'] : [];
      expect([pod, insideOf(policyOf(profile, pod)?.spec.egress)]).toEqual([pod, [...called, ...toSandbox, ...own].sort()]);

      const callers = podsOf(profile).flatMap((one) =>
        callsOf(serviceOf(one))
          .filter((call) => call.startsWith(`${pod}/`))
          .map((call) => `${one}:${PORTS[call.split('/')[1] ?? '']}`),
      );
      const operator = OPERATORS_CALL.includes(pod) ? ['operator:9000'] : [];
      const fromSandbox = isDev && pod === 'gateway' ? ['sandbox:8080'] : [];
      expect([pod, insideOf(policyOf(profile, pod)?.spec.ingress)]).toEqual([pod, [...callers, ...operator, ...fromSandbox].sort()]);
    }
    expect(insideOf(policyOf(profile, 'operator')?.spec.egress)).toEqual(OPERATORS_CALL.map((one) => `${one}:9000`).sort());
  });

  test('the internet is reached only by services that fetch from it, at the ports of their clients, and never a private network', () => {
    for (const pod of podsOf(profile)) {
      const expected = profile === 'dev' ? [] : internetOf(serviceOf(pod));
      const rules = internetIn(policyOf(profile, pod));
      expect([pod, rules.flatMap(({ ports }) => ports.map(({ port }) => port))]).toEqual([pod, expected]);
      for (const { to } of rules)
        expect(to?.[0]?.ipBlock?.except).toEqual(
          expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
        );
    }
    for (const one of ['sandbox', 'operator', 'migrate'])
      if (policyOf(profile, one)?.spec.egress) expect(internetIn(policyOf(profile, one))).toEqual([]);
  });

  test('every egress and ingress has peers: without any, it would be a connection with everything', () => {
    for (const { metadata, spec } of policiesOf(profile)) {
      expect([metadata.name, spec.policyTypes]).toEqual([metadata.name, ['Ingress', 'Egress']]);
      for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])] as Rule[])
        expect([metadata.name, (rule.from ?? rule.to ?? []).length > 0, rule.ports.length > 0]).toEqual([metadata.name, true, true]);
    }
  });

  test('what no policy allows is forbidden, for every pod of the installation', () => {
    const [all] = policiesOf(profile).filter(({ spec }) => spec.podSelector.matchLabels[COMPONENT] === undefined);
    expect(all?.spec.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'fanfare', 'app.kubernetes.io/instance': 'fanfare' });
    expect([all?.spec.ingress, all?.spec.egress]).toEqual([undefined, undefined]);
  });

  test('the admin port is open to no pod of ours, but to Prometheus, KEDA and health checks', () => {
    for (const { spec } of policiesOf(profile))
      for (const { from, ports } of (spec.ingress ?? []) as Rule[])
        if (ports.some(({ port }) => port === PORTS['admin'])) expect(componentsIn(from)).toEqual([]);
  });
});

describe('private networks', () => {
  const GUARD = path.join(ROOT, 'libs/guarded-http/src/is-public-address.ts');
  const [rule] = internetIn(policyOf('large', 'webhooks'));
  const excepted = (rule?.to ?? []).flatMap(({ ipBlock }) => ipBlock?.except ?? []);
  const isIn = (address: Address, network: string) => {
    const [other, bits] = ipaddr.parseCIDR(network);
    return address.kind() === other.kind() && address.match(other, bits);
  };

  /** The networks that the service's guard knows, from its code and from the library that it uses. */
  const known = () => {
    const ofLibrary = [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) =>
      Object.values((prototype as unknown as { SpecialRanges: Record<string, Range | Range[]> }).SpecialRanges).flatMap((ranges) =>
        (Array.isArray(ranges[0]) ? (ranges as Range[]) : [ranges as Range]).map(([address, bits]) => `${address.toString()}/${bits}`),
      ),
    );
    const ofCode = [...readFileSync(GUARD, 'utf8').matchAll(/'([\da-f]+[.:][\da-f.:]+(?:\/\d+)?)'/g)].map(([, text = '']) =>
      text.includes('/') ? text : `${text}/32`,
    );
    expect([ofLibrary.length > 30, ofCode.length > 5]).toEqual([true, true]);
    return [...ofLibrary, ...ofCode];
  };

  test('are those that the services do not call public: at the edges of each network that either knows', async () => {
    const { isPublicAddress } = (await import(GUARD)) as { isPublicAddress: (text: string) => boolean };
    const addresses = [...known(), ...excepted].flatMap(edgesOf);
    expect(addresses.length).toBeGreaterThan(200);
    // As addresses of IPv4, to which they are connected, these are in the other list.
    const compared = addresses.filter((address) => address.kind() === 'ipv4' || !isIn(address, '::ffff:0:0/96'));
    const isExcepted = (address: Address) => excepted.some((network) => isIn(address, network));
    expect(compared.filter((one) => isExcepted(one) === isPublicAddress(one.toString())).map(String)).toEqual([]);
  });
});

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** The first and last address of a network, and those beside it. */
function edgesOf(network: string): Address[] {
  const [address, bits] = ipaddr.parseCIDR(network);
  const length = address.toByteArray().length * 8;
  const first = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  const last = first + (1n << BigInt(length - bits)) - 1n;
  return [first - 1n, first, last, last + 1n]
    .filter((one) => one >= 0n && one < 1n << BigInt(length))
    .map((one) => ipaddr.fromByteArray([...Buffer.from(one.toString(16).padStart(length / 4, '0'), 'hex')]));
}

test('a balancer that checks the health of the gateway reaches the path that says whether it can serve calls', () => {
  const [ingress] = renderOf('large').filter(({ kind }) => kind === 'Ingress');
  const { annotations } = ingress?.metadata as unknown as { annotations: Record<string, string> };
  expect(annotations['alb.ingress.kubernetes.io/healthcheck-path']).toBe('/readyz/calls');
  const port = Number(annotations['alb.ingress.kubernetes.io/healthcheck-port']);
  const fromProxies = (policyOf('large', 'gateway')?.spec.ingress as Rule[]).find(({ from }) => from?.[0]?.ipBlock?.cidr === '10.0.0.0/24');
  expect(fromProxies?.ports).toEqual([{ port: PORTS['http'] }, { port }]);
  expect(port).toBe(PORTS['admin']);
  const others = policiesOf('large').filter(({ spec }) => spec.podSelector.matchLabels[COMPONENT] !== 'gateway');
  for (const { spec } of others) expect(JSON.stringify(spec.ingress ?? [])).not.toContain('10.0.0.0/24');
});
