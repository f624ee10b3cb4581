// READMEs and the deployment guide, which list platforms by hand, list every one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PLATFORMS, platformRules } from '../src/platform.ts';
import { connectorFor } from '../src/registry.ts';

const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8').replaceAll(/\s+/g, ' ');
const rules = Object.values(platformRules);

test.each(rules.map(({ label }) => label))('the READMEs of the project and of the sandbox name %s', (label) => {
  expect(/It publishes to (.*?)\. /.exec(textOf('README.md'))?.[1]).toContain(`**${label}**`);
  expect(/test mode: (.*?)\. /.exec(textOf('apps/sandbox/README.md'))?.[1]).toContain(label);
});

test('the guide says which platforms cannot delete posts', () => {
  const others = rules.filter(({ capabilities }) => !capabilities.includes('unpublish')).map(({ label }) => label);
  expect(textOf('apps/gateway/GUIDE.md')).toContain(`whose API can delete posts (all but ${new Intl.ListFormat('en').format(others)})`);
});

test.each(PLATFORMS)('the deployment guide lists the permissions that logins at %s request', (platform) => {
  const { oauth, logins = { oauth } } = connectorFor(platform);
  const row = new RegExp(`\\| ${platformRules[platform]?.label} +\\|(.*?)\\|`).exec(textOf('deploy/docs/platforms.md'))?.[1] ?? '';
  const listed = [...row.matchAll(/`(.*?)`/g)].map(([, scope]) => scope);
  const requested = Object.values(logins).flatMap((login) => {
    const url = login.authorizeUrl(
      { clientId: 'c', clientSecret: 's' },
      { redirectUri: 'https://example.com/', state: 's', codeChallenge: 'x' },
    );
    return (new URL(url).searchParams.get('scope') ?? '').split(/[ ,]/);
  });
  expect(listed.sort()).toEqual(requested.map((scope) => scope.replace('https://www.googleapis.com/auth/', '')).sort());
});
