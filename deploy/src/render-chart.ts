// `npm run deploy:render`: writes the dashboards and the names of platforms that values may contain, and renders the chart with each values file into helm/golden, by helm, which is built if there is none. Commit the results with the change of the
// chart: they show what it changes in a cluster, and the tests read them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PLATFORMS } from '@fanfare/connectors/platform';
import { HELM, PROFILES, sourcesDigest } from './chart.ts';
import { helmProgram } from './tools.ts';
import { writeDashboards } from './write-dashboards.ts';

writeDashboards();

const forms = path.join(HELM, 'fanfare/files/forms.yaml');
const platform = `(${[...PLATFORMS].sort().join('|')})`;
writeFileSync(forms, readFileSync(forms, 'utf8').replace(/^ {2}platform: .*$/m, `  platform: ${platform}`));

const helm = helmProgram();
for (const profile of PROFILES) {
  const values = path.join(HELM, 'values', `${profile}.yaml`);
  const args = [
    'template',
    'fanfare',
    path.join(HELM, 'fanfare'),
    '--namespace',
    'fanfare',
    '--kube-version',
    '1.34.0',
    '--values',
    values,
  ];
  const rendered = execFileSync(helm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 << 20 });
  writeFileSync(path.join(HELM, 'golden', `${profile}.yaml`), rendered);
}
writeFileSync(path.join(HELM, 'golden', 'sources.sha256'), `${sourcesDigest()}\n`);
