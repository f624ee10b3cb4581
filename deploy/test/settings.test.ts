// The forms that the chart requires of settings (files/forms.yaml) are those that the services accept in production: what the chart accepts must not keep a
// service from starting, after the databases were migrated.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PLATFORMS } from '@fanfare/connectors';
import { parse } from 'yaml';
import { HELM } from '../src/chart.ts';
import { SERVICES, settingsOf, type Service } from '../src/settings-of.ts';

interface Table {
  readonly parts: Readonly<Record<string, string>>;
  readonly forms: Readonly<Record<string, { readonly pattern: string; readonly words: string }>>;
  readonly values: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}
const { parts, forms, values, settings } = parse(readFileSync(path.join(HELM, 'fanfare/files/forms.yaml'), 'utf8')) as Table;
const schema = JSON.parse(readFileSync(path.join(HELM, 'fanfare/values.schema.json'), 'utf8'));

function patternOf(form: string | number): RegExp {
  let text = typeof form === 'number' ? '(0|[1-9][0-9]{0,17})' : (forms[form]?.pattern ?? '');
  while (/<\w+>/.test(text)) text = text.replace(/<(\w+)>/g, (_, part: string) => parts[part] ?? '');
  return new RegExp(`^(${text})$`);
}
const chartAccepts = (form: string | number, value: string) =>
  patternOf(form).test(value) && (typeof form === 'string' || Number(value) >= form);

const key = () => `k1:${randomBytes(32).toString('base64')}`;
/** Enough to start in production, where the network itself encrypts. */
const FIT = {
  ...{ KEYRING: key(), MEDIA_URL_SECRET: key(), UNENCRYPTED_NETWORK: 'true' },
  ...{ BASE_URL: 'https://api.example.com', PUBLIC_BASE_URL: 'https://api.example.com' },
  ...{ LIBRARY_HTTP_URL: 'http://127.0.0.1:4422', INTERNAL_BASE_URL: 'http://127.0.0.1:4422' },
};
const LOADERS = new Map(await Promise.all(SERVICES.map(async (service) => [service, (await settingsOf(service)).load] as const)));
function serviceAccepts(service: Service, name: string, value: string): boolean {
  const load = LOADERS.get(service);
  try {
    load?.({ ...FIT, [name]: value });
    return true;
  } catch (error) {
    return !new RegExp(`\\b${name}(\\.[^:]*)?: `).test((error as Error).message);
  }
}

const WORDS = [
  'x',
  'true',
  'false',
  'TRUE',
  'yes',
  'no',
  'on',
  'open',
  'invited',
  'none',
  'grid-fs',
  'gridfs',
  'two words',
  'Zürich',
  'a'.repeat(101),
];
const NUMBERS = [
  '0',
  '1',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '007',
  '34',
  '35',
  '99',
  '100',
  '999',
  '1000',
  '5999',
  '6000',
  '3599999',
  '3600000',
  '30s',
  ' 5',
];
const URLS = [
  'https://api.example.com',
  'https://api.example.com/',
  'https://API.example.com:8443/v1',
  'https://10.0.0.1:9000',
  'https://[fd00::1]/',
  'http://api.example.com',
  'https://',
  'https:///x',
  'https://a b',
  'https://a.example, https://b.example:8443',
  'ftp://x',
  'api.example.com',
];
const OTHERS = [
  'ops@example.com',
  'Example <no-reply@example.com>',
  '@',
  'a@b',
  '202506',
  '202513',
  'x,tiktok',
  'x, myspace',
  '{}',
  '{',
  '[]',
  '{"youtube": {"videos_insert": 1000}}',
  '{"myspace": {"posts": 1}}',
  '{"youtube": {"videos_insert": 0}}',
  '{"youtube": 1}',
];
const PROBES = [...WORDS, ...NUMBERS, ...URLS, ...OTHERS];

/** What only services accept: other notations of numbers, and a URL without a host. */
const UNUSUAL = ['1e3', '0x10', '007', ' 5', 'https:///x'];
/** With it, a process does nothing of its background work: the chart gives it to Deployments that only serve calls. */
const OFF = ['SNAPSHOTS_AT_ONCE 0', 'JOBS_AT_ONCE 0'];

describe.each(SERVICES)('%s', (service) => {
  test('each setting of the schema has a form, and no other one', () => {
    expect(Object.keys(settings[service] ?? {}).sort()).toEqual(
      Object.keys(schema.properties[service].properties.settings.properties).sort(),
    );
  });

  test.each(Object.entries(settings[service] ?? {}))('the chart accepts of %s what the service accepts', (name, form) => {
    const usual = PROBES.filter((value) => !UNUSUAL.includes(value) && !OFF.includes(`${name} ${value}`));
    const accepted = usual.filter((value) => chartAccepts(form, value));
    expect(accepted).not.toEqual([]);
    expect(accepted).toEqual(usual.filter((value) => serviceAccepts(service, name, value)));
  });
});

test('platforms are those of the connectors', () => {
  expect(parts['platform']).toBe(`(${[...PLATFORMS].sort().join('|')})`);
});

test('each form is used', () => {
  const used = [...Object.values(values), ...Object.values(settings).flatMap((one) => Object.values(one))].filter(
    (form) => typeof form === 'string',
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(forms).sort());
});
