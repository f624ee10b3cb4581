import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

export const HELM = path.join(import.meta.dirname, '../helm');

/** An object of Kubernetes, as the chart renders it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has another form, which Kubernetes' own schemas check
  readonly [field: string]: any;
}

/** The values files, by name: complete examples, each of which is rendered and checked. */
export const PROFILES = globSync('values/*.yaml', { cwd: HELM })
  .map((file) => path.basename(file, '.yaml'))
  .sort();

/** What the chart renders of a values file; see `render-chart.ts`. */
export function renderOf(profile: string): KubernetesObject[] {
  const text = readFileSync(path.join(HELM, 'golden', `${profile}.yaml`), 'utf8');
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((one) => one !== null);
}

/** A digest of everything that a render is made of. The renders are committed with it, so that the gate notices a stale one without Helm. */
export function sourcesDigest(): string {
  const digest = createHash('sha256');
  for (const file of globSync(['fanfare/**/*', 'values/*.yaml'], { cwd: HELM, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort())
    digest
      .update(`${path.relative(HELM, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return digest.digest('hex');
}
