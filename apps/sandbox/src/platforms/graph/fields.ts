import { invalidParameter, reject } from './errors.ts';

export interface Field {
  name: string;
  /** `comments.limit(0).summary(true)` */
  modifiers: Record<string, string>;
  /** `attachments{media_type,url}`; null: the default fields of the linked node. */
  fields: Field[] | null;
}

/** A node as the Graph API describes it: each field is a value or a function of the request. `undefined` omits a field. */
export type Node = Record<string, unknown>;

/** The requested fields, or the default ones, and always `id`. An unknown field name is an error, as at Meta. */
export function select(type: string, node: Node, requested: Field[] | null, defaults: readonly string[]): Record<string, unknown> {
  const fields = requested ?? defaults.map((name) => ({ name, modifiers: {}, fields: null }));
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    if (!Object.hasOwn(node, field.name))
      throw invalidParameter(`Tried accessing nonexisting field (${field.name}) on node type (${type})`);
    const value = node[field.name];
    const made: unknown = typeof value === 'function' ? (value as (field: Field) => unknown)(field) : value;
    if (made !== undefined) result[field.name] = made;
  }
  if ('id' in node) result['id'] = node['id'];
  return result;
}

export function parseFields(text: string | undefined): Field[] | null {
  if (text === undefined || text.trim() === '') return null;
  const reader = { text, at: 0 };
  const fields = readList(reader);
  if (reader.at !== text.length) throw syntaxError(reader);
  return fields;
}

interface Reader {
  text: string;
  at: number;
}

function readList(reader: Reader): Field[] {
  const fields = [readField(reader)];
  while (reader.text[reader.at] === ',') {
    reader.at++;
    fields.push(readField(reader));
  }
  return fields;
}

function readField(reader: Reader): Field {
  const field: Field = { name: readName(reader), modifiers: {}, fields: null };
  while (reader.text[reader.at] === '.') {
    reader.at++;
    const modifier = readName(reader);
    const close = reader.text.indexOf(')', reader.at);
    if (reader.text[reader.at] !== '(' || close < 0) throw syntaxError(reader);
    field.modifiers[modifier] = reader.text.slice(reader.at + 1, close);
    reader.at = close + 1;
  }
  if (reader.text[reader.at] === '{') {
    reader.at++;
    field.fields = readList(reader);
    if (reader.text[reader.at] !== '}') throw syntaxError(reader);
    reader.at++;
  }
  return field;
}

function readName(reader: Reader): string {
  const found = /^\s*(\w+)\s*/.exec(reader.text.slice(reader.at));
  if (!found) throw syntaxError(reader);
  reader.at += found[0].length;
  return found[1]!;
}

function syntaxError(reader: Reader) {
  return reject({ message: `Syntax error "Expected name" at character ${reader.at}: ${reader.text}`, code: 2500 });
}
