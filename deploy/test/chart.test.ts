// What the chart renders keeps what ARCHITECTURE.md and SECURITY.md promise. Reads the committed renders, which need no Helm; `npm run deploy:check` renders
// again, and validates against the schemas of Kubernetes and of the custom resources.
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { HELM, PROFILES, renderOf, sourcesDigest, type KubernetesObject } from '../src/chart.ts';
import { settingsOf, SERVICES } from '../src/settings-of.ts';

const renders = new Map(PROFILES.map((profile) => [profile, renderOf(profile)]));
const of = (profile: string, kind: string) => (renders.get(profile) ?? []).filter((one) => one.kind === kind);
const podsOf = (profile: string): [string, KubernetesObject['spec']][] =>
  ['Deployment', 'StatefulSet', 'Job']
    .flatMap((kind) => of(profile, kind))
    .map(({ metadata, spec }) => [metadata.name, spec.template.spec]);
const hookOf = (metadata: object, name: string) => (metadata as { annotations?: Record<string, string> }).annotations?.[`helm.sh/${name}`];
const component = (one: KubernetesObject) => one.metadata.labels['app.kubernetes.io/component'] ?? '';

test('the renders are of this chart and these values: run `npm run deploy:render` after a change', () => {
  expect(readFileSync(path.join(HELM, 'golden/sources.sha256'), 'utf8').trim()).toBe(sourcesDigest());
});

test('there is an example for each kind of installation', () => {
  expect(PROFILES).toEqual(['air-gapped', 'dev', 'existing-secrets', 'gateway-api', 'large', 'no-keda', 'small']);
});

describe.each(PROFILES)('%s', (profile) => {
  test("every pod meets Kubernetes' restricted standard, and has no token and limited memory", () => {
    for (const [name, pod] of podsOf(profile)) {
      expect([name, pod.automountServiceAccountToken, pod.hostNetwork]).toEqual([name, false, undefined]);
      expect([name, pod.securityContext]).toMatchObject([name, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }]);
      for (const container of pod.containers) {
        expect([name, container.securityContext]).toMatchObject([
          name,
          { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        ]);
        if (!name.endsWith('-kafka')) expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
        expect(container.resources.requests.memory).toMatch(/Mi|Gi/);
        expect(container.resources.limits.memory).toMatch(/Mi|Gi/);
      }
    }
  });

  test('every service has a Deployment that routes by /readyz/calls, and 75 s to stop after it was taken out of routing', () => {
    const deployments = of(profile, 'Deployment').filter((one) => component(one) !== 'sandbox');
    expect(deployments.map(component)).toEqual(expect.arrayContaining([...SERVICES]));
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [{ readinessProbe, livenessProbe, startupProbe, lifecycle }] = containers;
      expect(readinessProbe.httpGet.path).toBe('/readyz/calls');
      expect([livenessProbe.httpGet.path, startupProbe.httpGet.path]).toEqual(['/livez', '/livez']);
      expect(lifecycle.preStop.sleep.seconds).toBeGreaterThanOrEqual(5);
      expect(terminationGracePeriodSeconds - lifecycle.preStop.sleep.seconds).toBeGreaterThanOrEqual(80);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    }
  });

  test('no Secret is rendered, and no setting that is secret is in clear', () => {
    expect(of(profile, 'Secret')).toEqual([]);
    const secret = /KEYRING|SECRET|PASSWORD|_KEY$|USERNAME|SMTP_URL|MONGODB_URL|PLATFORM_APPS/;
    const named = of(profile, 'ConfigMap').flatMap(({ data }) => Object.keys(data as object));
    const isPublic = profile === 'dev' ? ['MONGODB_URL', 'PLATFORM_APPS', 'SMTP_URL'] : [];
    expect(named.filter((name) => secret.test(name) && !isPublic.includes(name))).toEqual([]);
  });

  test('each service gets settings that it reads, and all that it requires', async () => {
    for (const { spec, ...deployment } of of(profile, 'Deployment').filter((one) => component(one) !== 'sandbox')) {
      const [{ name: service, envFrom, env = [] }] = spec.template.spec.containers;
      const map = of(profile, 'ConfigMap').find(({ metadata }) => metadata.name === envFrom[0].configMapRef.name);
      const given = { ...map?.data, ...Object.fromEntries(env.map(({ name }: { name: string }) => [name, SAMPLE[name] ?? 'x'])) };
      const { names, load } = await settingsOf(service);
      // Tracing is read by a module of its own, and further CAs by Node.
      const unread = Object.keys(given).filter((name) => !names.includes(name) && !/^OTEL_|^NODE_EXTRA_CA_CERTS$/.test(name));
      expect([deployment.metadata.name, unread]).toEqual([deployment.metadata.name, []]);
      // Files are checked when they are read, and are not there yet.
      const files = Object.fromEntries(
        Object.keys(given)
          .filter((name) => /^TLS_.*_FILE$/.test(name))
          .map((name) => [name, import.meta.filename]),
      );
      expect(() => load({ ...given, ...files })).not.toThrow();
    }
  });

  test('every file that a setting names is mounted', () => {
    for (const { metadata, spec } of of(profile, 'Deployment').filter((one) => component(one) !== 'sandbox')) {
      const [{ envFrom, volumeMounts }] = spec.template.spec.containers;
      const { data } = of(profile, 'ConfigMap').find((map) => map.metadata.name === envFrom[0].configMapRef.name) as KubernetesObject;
      const folders = Object.values(data as Record<string, string>).flatMap((value) => (/^\/etc\//.test(value) ? path.dirname(value) : []));
      const mounted = (volumeMounts as { mountPath: string }[]).map(({ mountPath }) => mountPath);
      expect([metadata.name, folders.filter((folder) => !mounted.includes(folder))]).toEqual([metadata.name, []]);
    }
    const settings = of(profile, 'ConfigMap').flatMap(({ data }) => Object.keys(data as object));
    expect(settings.includes('NODE_EXTRA_CA_CERTS')).toBe(profile === 'air-gapped');
  });

  test('KEDA connects to Kafka as the services do: with TLS if they do, also with certificates of a public CA', () => {
    const [{ data }] = of(profile, 'ConfigMap') as [KubernetesObject];
    const triggers = of(profile, 'ScaledObject').flatMap(({ spec }) => spec.triggers as KubernetesObject[]);
    for (const { metadata, authenticationRef } of triggers.filter(({ type }) => type === 'kafka')) {
      expect(metadata).toMatchObject({ bootstrapServers: data.KAFKA_BROKERS, topic: expect.stringContaining(data.KAFKA_TOPIC_PREFIX) });
      expect((metadata as unknown as { tls?: string }).tls).toBe(data.KAFKA_TLS === 'true' ? 'enable' : undefined);
      const hasCredentials = data.KAFKA_SASL_MECHANISM !== undefined || data.KAFKA_TLS_CA_FILE !== undefined;
      expect(authenticationRef).toEqual(hasCredentials ? { name: 'fanfare-kafka' } : undefined);
    }
  });

  test('a change of settings replaces the pods', () => {
    for (const { spec } of of(profile, 'Deployment').filter((one) => component(one) !== 'sandbox'))
      expect(spec.template.metadata.annotations['checksum/settings']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('before an upgrade one Job migrates the database of each service, with its new image', () => {
    const [job] = of(profile, 'Job');
    // Before a rollback it is the Job of the version that is gone back to; what it rejects it logs, and does not repeat.
    expect(job?.metadata).toMatchObject({
      annotations: { 'helm.sh/hook': 'pre-upgrade,pre-rollback', 'helm.sh/hook-output-log-policy': 'hook-failed' },
    });
    expect(job?.spec).toMatchObject({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2] } }] },
      template: { spec: { restartPolicy: 'Never' } },
    });
    const containers = job?.spec.template.spec.containers as { name: string; image: string; args: string[] }[];
    expect(containers.map(({ name }) => name).sort()).toEqual([...SERVICES]);
    for (const { name, image, args } of containers)
      expect([image, args]).toEqual([expect.stringContaining(`/${name}:`), ['dist/migrate.mjs']]);
  });

  test('Helm deletes what its hooks create, which it does not at an uninstallation', () => {
    const hooks = (renders.get(profile) ?? []).filter(({ metadata }) => hookOf(metadata, 'hook') !== undefined);
    expect(hooks.map(({ kind }) => kind).sort()).toEqual(['Job', 'NetworkPolicy']);
    for (const { metadata } of hooks) expect(hookOf(metadata, 'hook-delete-policy')).toBe('before-hook-creation,hook-succeeded');
  });

  test('an autoscaler has no Deployment with a fixed number of replicas, and no Deployment has two', () => {
    const targets = [...of(profile, 'HorizontalPodAutoscaler'), ...of(profile, 'ScaledObject')].map(
      ({ spec }) => spec.scaleTargetRef.name as string,
    );
    expect(new Set(targets).size).toBe(targets.length);
    for (const { metadata, spec } of of(profile, 'Deployment'))
      expect([metadata.name, spec.replicas === undefined]).toEqual([metadata.name, targets.includes(metadata.name)]);
  });
});

test('pods listen on addresses of IPv6 too where listenAddress says so, because there are clusters without IPv4', () => {
  const listening = (profile: string) =>
    of(profile, 'ConfigMap').flatMap(({ data }) =>
      Object.entries((data ?? {}) as Record<string, string>).flatMap(([name, address]) =>
        /^(ADMIN|GRPC|HTTP|ADMIN_GRPC)_ADDRESS$/.test(name) ? [address.replace(/\d+$/, '')] : [],
      ),
    );
  expect(listening('gateway-api').length).toBeGreaterThanOrEqual(2 * SERVICES.length);
  expect(new Set(listening('gateway-api'))).toEqual(new Set(['[::]:']));
  expect(new Set(listening('small'))).toEqual(new Set(['0.0.0.0:']));
});

test("a client certificate of Strimzi's is found by services and by KEDA", () => {
  const [, pod] = podsOf('existing-secrets').find(([name]) => name === 'fanfare-publisher') ?? [];
  const { secret } = pod.volumes.find(({ name }: { name: string }) => name === 'kafka-client');
  const files = { 'tls.crt': 'user.crt', 'tls.key': 'user.key' };
  expect(secret.items).toEqual(Object.entries(files).map(([file, key]) => ({ key, path: file })));
  const [authentication] = of('existing-secrets', 'TriggerAuthentication');
  expect(authentication?.spec.secretTargetRef).toEqual(
    expect.arrayContaining(Object.values(files).map((key) => expect.objectContaining({ name: 'fanfare-kafka-user', key }))),
  );
});

test('only workers go to zero: every service that others call keeps a replica', () => {
  const atZero = of('existing-secrets', 'ScaledObject').filter(({ spec }) => spec.minReplicaCount === 0);
  expect(atZero.map(component).sort()).toEqual(['analytics-snapshots', 'generation-jobs']);
  for (const worker of atZero) {
    const selected = of('existing-secrets', 'Service').map(({ spec }) => spec.selector['app.kubernetes.io/component'] as string);
    expect(selected).not.toContain(component(worker));
  }
  expect(of('existing-secrets', 'ConfigMap').find((one) => component(one) === 'analytics')?.data.SNAPSHOTS_AT_ONCE).toBe('0');
  expect(of('existing-secrets', 'ConfigMap').find((one) => component(one) === 'generation')?.data.JOBS_AT_ONCE).toBe('0');
});

test('without KEDA, analytics and generation do their background work themselves', () => {
  const settings = of('no-keda', 'ConfigMap').flatMap(({ data }) => Object.keys(data as object));
  expect(settings).not.toContain('SNAPSHOTS_AT_ONCE');
  expect(settings).not.toContain('JOBS_AT_ONCE');
});

test('services of gRPC are headless, so that clients balance their calls over all replicas', () => {
  const grpc = of('large', 'Service').filter(({ spec }) => spec.ports[0].name === 'grpc');
  expect(grpc.map(component).sort()).toEqual([...SERVICES]);
  for (const { spec } of grpc) expect(spec.clusterIP).toBe('None');
});

test('each certificate has the name by which others call the service, and by which it is known as a caller', () => {
  const names = new Set(of('large', 'Certificate').flatMap(({ spec }) => (spec.dnsNames ?? []) as string[]));
  const settings = of('large', 'ConfigMap').flatMap(({ data }) => Object.entries((data ?? {}) as Record<string, string>));
  const hosts = settings.flatMap(([name, value]) => {
    if (name === 'TLS_PEERS' || name === 'ACCESS_PEERS') return value.split(',');
    if (/^(CONTENT|LIBRARY|PUBLISHER|ANALYTICS|GENERATION|WEBHOOKS)_ADDRESS$/.test(name)) return [value.replace(/:\d+$/, '')];
    return /^(LIBRARY_HTTP_URL|INTERNAL_BASE_URL)$/.test(name) ? [new URL(value).hostname] : [];
  });
  expect(hosts.length).toBeGreaterThan(20);
  expect(hosts.filter((host) => !names.has(host))).toEqual([]);
});

test("make-secret.mjs makes keys that the services accept, and an address of MongoDB that they don't", async () => {
  const text = execFileSync(process.execPath, [path.join(HELM, 'make-secret.mjs'), 'fanfare'], { encoding: 'utf8' });
  const { stringData } = parse(text) as { stringData: Record<string, string> };
  const { MONGODB_URL, KEYRING, PLATFORM_APPS } = stringData;
  const { load } = await settingsOf('publisher');
  expect(load({ KEYRING, PLATFORM_APPS })).toBeDefined();
  expect(() => load({ KEYRING, PLATFORM_APPS, MONGODB_URL })).toThrow('MONGODB_URL: must start with mongodb://');
});

test.each(SERVICES)(
  'values.schema.json knows the settings of %s: those of the code that the chart does not set, and that are fit for production',
  async (service) => {
    const schema = JSON.parse(readFileSync(path.join(HELM, 'fanfare/values.schema.json'), 'utf8'));
    const { settings, fromSecret } = schema.properties[service].properties;
    const { names } = await settingsOf(service);
    const set = new Set(
      PROFILES.flatMap((profile) =>
        of(profile, 'Deployment')
          .filter((one) => one.spec.template.spec.containers[0].name === service)
          .flatMap(({ spec }) => {
            const [{ envFrom, env = [] }] = spec.template.spec.containers;
            const map = envFrom
              ? of(profile, 'ConfigMap').find(({ metadata }) => metadata.name === envFrom[0].configMapRef.name)
              : undefined;
            return [...Object.keys(map?.data ?? {}), ...env.map(({ name }: { name: string }) => name)];
          }),
      ),
    );
    const allowed: string[] = [...Object.keys(settings.properties), ...(fromSecret.items?.enum ?? [])];
    expect(allowed.filter((name) => !names.includes(name))).toEqual([]);
    const missing = names.filter((name) => !allowed.includes(name) && !set.has(name));
    expect(missing.filter((name) => !NOT_IN_PRODUCTION.includes(name))).toEqual([]);
  },
);

/** For development and tests, or decided by the image and by Kubernetes. */
const NOT_IN_PRODUCTION = [
  'GRPC_REFLECTION',
  'DEV_MAIL_URL',
  'FETCH_ALLOWED_ORIGINS',
  'TIME_SCALE',
  'DEADLINE_SCALE',
  'PLATFORM_BASE_URL',
  'PATH',
  'DRAIN_MS',
];

const key = () => `k1:${randomBytes(32).toString('base64')}`;
/** What the Secret has. */
const SAMPLE: Readonly<Record<string, string>> = {
  KEYRING: key(),
  MEDIA_URL_SECRET: key(),
  MONGODB_URL: 'mongodb+srv://user:password@cluster.example.com/?tls=true',
  PLATFORM_APPS: '{"facebook": {"client_id": "1", "client_secret": "2"}}',
  SMTP_URL: 'smtps://user:password@mail.example.com',
};
