import type { UploadedFile } from '../../wire/body.ts';
import type { Call } from '../../wire/call.ts';
import { invalidParameter, reject } from './errors.ts';

export type Params = Record<string, unknown>;

/** The Graph API accepts a parameter from the query, a form, a multipart field or a JSON body alike. */
export function graphParams(call: Call): Params {
  // Without a prototype: a parameter `__proto__` is a name like any other; `Object.assign` would set the prototype.
  const params = Object.assign(Object.create(null) as Params, Object.fromEntries(call.query));
  const { body } = call;
  if (body.kind === 'malformed') throw reject({ message: '(#100) The request body could not be parsed', code: 100 });
  if (body.kind === 'form' || body.kind === 'multipart') Object.assign(params, body.fields);
  if (body.kind === 'json') {
    if (body.value === null || typeof body.value !== 'object' || Array.isArray(body.value))
      throw invalidParameter('The request body must be an object');
    Object.assign(params, body.value);
  }
  return params;
}

/** Graph ignores unknown names; the sandbox rejects them, so that misspelled ones are noticed. */
export function rejectUnknown({ body }: Call, params: Params, known: readonly string[]): void {
  const files = body.kind === 'multipart' ? body.files.map(({ field }) => field) : [];
  const unknown = unknownNames([...Object.keys(params), ...files], [...known, ...ofEveryCall]);
  if (unknown.length === 0) return;
  const taken = known.length > 0 ? `takes ${known.join(', ')}` : 'takes none';
  throw invalidParameter(`Unknown parameter ${unknown.join(', ')}: this call ${taken}`);
}

/** `children[0]` is an item of `children`. */
export function unknownNames(names: Iterable<string>, known: readonly string[]): string[] {
  return [...new Set([...names].map((name) => name.replace(/\[\d+\]$/, '')))].filter((name) => !known.includes(name));
}

const ofEveryCall = ['access_token', 'appsecret_proof'];

export function uploadedFile(call: Call, field: string): UploadedFile | null {
  return call.body.kind === 'multipart' ? (call.body.files.find((file) => file.field === field) ?? null) : null;
}

export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw invalidParameter(`Param ${name} must be a string`);
}

export function requiredText(params: Params, name: string): string {
  const value = text(params, name);
  if (!value) throw invalidParameter(`The parameter ${name} is required`);
  return value;
}

export function flag(params: Params, name: string): boolean | undefined {
  const value = params[name];
  if (value === undefined || value === '') return undefined;
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  throw invalidParameter(`Param ${name} must be a boolean`);
}

export function integer(params: Params, name: string): number | undefined {
  const value = text(params, name);
  if (value === undefined || value === '') return undefined;
  if (!/^-?\d+$/.test(value)) throw invalidParameter(`Param ${name} must be an integer`);
  return Number(value);
}

/** A list as JSON, as JSON in a string, as `name[0]=…`, or (for ids) separated by commas. */
export function list(params: Params, name: string): unknown[] | undefined {
  const value = params[name];
  if (Array.isArray(value)) return value as unknown[];
  const indexed = Object.keys(params)
    .filter((key) => key.startsWith(`${name}[`))
    .sort((a, b) => Number(a.slice(name.length + 1, -1)) - Number(b.slice(name.length + 1, -1)));
  if (indexed.length) return indexed.map((key) => parsed(params[key]));
  if (value === undefined || value === '') return undefined;
  const whole = parsed(value);
  if (Array.isArray(whole)) return whole as unknown[];
  if (typeof value === 'string' && !/^[[{]/.test(value)) return value.split(',').map((one) => one.trim());
  throw invalidParameter(`Param ${name} must be an array.`);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
