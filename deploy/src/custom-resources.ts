import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ApiServer } from './api-server.ts';
import { PROFILES, renderOf } from './chart.ts';
import { report } from './report.ts';
import { goModule, KEDA } from './tools.ts';

const KEDA_FILES = 'config/crd/bases/*.yaml';

/** Go modules that have the definitions of the custom resources that the chart renders, and where. */
const DEFINITIONS: readonly (readonly [string, string])[] = [
  [KEDA, KEDA_FILES],
  ['github.com/cert-manager/cert-manager@v1.21.2', 'deploy/crds/*.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/*.yaml'],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd/*.yaml'],
  ['github.com/external-secrets/external-secrets@v1.3.2', 'config/crds/bases/*.yaml'],
];

interface CustomResourceDefinition {
  readonly kind: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** A schema as definitions have it: a part of OpenAPI's. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minItems?: number;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** What is wrong with the custom resources in the committed renders, by their definitions: also a field that the definition does not have. */
export function checkCustomResources(): void {
  const schemas = new Map<string, Schema>();
  for (const { spec } of customResourceDefinitions())
    for (const { name, schema } of spec.versions) schemas.set(`${spec.group}/${name}/${spec.names.kind}`, schema.openAPIV3Schema);
  const problems: string[] = [];
  let checked = 0;
  for (const profile of PROFILES)
    for (const one of renderOf(profile)) {
      if (!/^[\w-]+\.[\w.-]+\//.test(one.apiVersion) || /\.k8s\.io\//.test(one.apiVersion) !== one.apiVersion.startsWith('gateway.'))
        continue;
      const schema = schemas.get(`${one.apiVersion}/${one.kind}`);
      checked++;
      const found = schema ? [...violations(schema, one, '')] : ['has no definition'];
      problems.push(...found.map((what) => `${profile}, ${one.kind} ${one.metadata.name}: ${what}`));
    }
  report(`${checked} custom resources`, problems);
}

/** The definitions of all custom resources that the chart can render. */
export const customResourceDefinitions = (): CustomResourceDefinition[] =>
  DEFINITIONS.flatMap(([module, files]) => definitionsIn(goModule(module), files));

/** KEDA's. @param module the folder of its Go module */
export const kedaDefinitions = (module: string): CustomResourceDefinition[] => definitionsIn(module, KEDA_FILES);

function definitionsIn(folder: string, files: string): CustomResourceDefinition[] {
  const documents = globSync(files, { cwd: folder }).flatMap((file) => parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')));
  // An empty document is null.
  return documents.flatMap((document) => {
    const one = document.toJS() as CustomResourceDefinition | null;
    return one?.kind === 'CustomResourceDefinition' ? [one] : [];
  });
}

/** Makes an API server know custom resources. */
export function applyDefinitions({ kubectl }: Pick<ApiServer, 'kubectl'>, definitions: readonly CustomResourceDefinition[]): void {
  kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: definitions }));
  kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
}

function* violations(schema: Schema, value: unknown, at: string): Generator<string> {
  const where = at === '' ? 'it' : at;
  if (schema['x-kubernetes-int-or-string']) {
    if (typeof value !== 'string' && typeof value !== 'number') yield `${where} must be a number or a string`;
    return;
  }
  const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  if (schema.type !== undefined && schema.type !== type && !(schema.type === 'number' && type === 'integer')) {
    yield `${where} must be ${schema.type}, and is ${type}`;
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) yield `${where} must be one of ${schema.enum.join(', ')}`;
  if (schema.pattern !== undefined && typeof value === 'string' && !new RegExp(schema.pattern).test(value))
    yield `${where} must match ${schema.pattern}`;
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) yield `${where} must have ${schema.minItems} entries`;
    for (const [index, item] of value.entries()) if (schema.items) yield* violations(schema.items, item, `${at}[${index}]`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const name of schema.required ?? []) if (!(name in value)) yield `${where} lacks ${name}`;
  for (const [name, field] of Object.entries(value)) {
    // The schema of a whole resource leaves these to Kubernetes.
    if (at === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
    const known = schema.properties?.[name] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    if (known) yield* violations(known, field, `${at}.${name}`);
    else if (!schema['x-kubernetes-preserve-unknown-fields'] && schema.additionalProperties !== true) yield `${at}.${name} is unknown`;
  }
}
