import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { PROFILES, renderOf } from './chart.ts';

/** Go modules that have the definitions of the custom resources that the chart renders, and where. */
const DEFINITIONS: readonly (readonly [string, string])[] = [
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases/*.yaml'],
  ['github.com/cert-manager/cert-manager@v1.21.2', 'deploy/crds/*.yaml'],
  ['sigs.k8s.io/gateway-api@v1.6.3', 'config/crd/standard/*.yaml'],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd/*.yaml'],
  ['github.com/external-secrets/external-secrets@v1.3.2', 'config/crds/bases/*.yaml'],
];

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
export async function customResourceProblems(cache: string): Promise<string[]> {
  const schemas = schemasOf(cache);
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
  console.log(`${problems.length === 0 ? '✓' : '✗'} ${checked} custom resources`);
  return problems;
}

function schemasOf(cache: string): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  // Downloads as the modules of a module of its own.
  const work = path.join(cache, 'definitions');
  mkdirSync(work, { recursive: true });
  writeFileSync(path.join(work, 'go.mod'), 'module definitions\n');
  for (const [module, files] of DEFINITIONS) {
    const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd: work, encoding: 'utf8' })) as {
      Dir: string;
    };
    for (const file of globSync(files, { cwd: Dir }))
      for (const document of parseAllDocuments(readFileSync(path.join(Dir, file), 'utf8'))) {
        const definition = document.toJS() as {
          kind?: string;
          spec: { group: string; names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
        } | null;
        if (definition?.kind !== 'CustomResourceDefinition') continue;
        const { group, names, versions } = definition.spec;
        for (const { name, schema } of versions) schemas.set(`${group}/${name}/${names.kind}`, schema.openAPIV3Schema);
      }
  }
  return schemas;
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
