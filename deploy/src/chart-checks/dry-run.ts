import path from 'node:path';
import { claimRunDir } from '@fanfare/infra';
import { startApiServer } from '../api-server.ts';
import { HELM, PROFILES } from '../chart.ts';
import { applyDefinitions, customResourceDefinitions } from '../custom-resources.ts';
import { report } from '../report.ts';
import { checkRestoration } from './restoration.ts';
import { apiServerPrograms, CACHE } from '../tools.ts';

const NAMESPACE = 'fanfare';

/** Checks that a real API server with the definitions of all custom resources accepts each committed render, and restores a backup there. */
export async function checkByApiServer(): Promise<void> {
  const { runDir, release } = await claimRunDir(CACHE, false, console.log);
  try {
    const server = await startApiServer(apiServerPrograms(), runDir);
    const { kubectl, tryKubectl, stop } = server;
    try {
      applyDefinitions({ kubectl }, customResourceDefinitions());
      kubectl(['create', 'namespace', NAMESPACE]);
      // Then a Deployment whose pods the restricted standard would reject gets a warning.
      kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/warn=restricted']);
      for (const profile of PROFILES) {
        const file = path.join(HELM, 'golden', `${profile}.yaml`);
        const how = ['--dry-run=server', '--validate=strict', '--warnings-as-errors', '--namespace', NAMESPACE];
        const { status, stdout, stderr } = tryKubectl(['apply', ...how, '-f', file]);
        report(`API server, ${profile}: ${stdout.split('\n').length - 1} objects`, status === 0 ? [] : [stderr.trim()]);
      }
      await checkRestoration(server, runDir);
    } finally {
      await stop();
    }
  } finally {
    await release();
  }
}
