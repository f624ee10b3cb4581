import type { JsonSchema } from './check-schema.ts';

/** The source material: the members `source` and `description` of a JSON message, or the whole message. */
function materialOf(message: string): string {
  try {
    const found = under(['source', 'description'], JSON.parse(message));
    if (found.length > 0) return found.map((text) => (/[.!?。！？]$/.test(text) ? text : `${text}.`)).join(' ');
  } catch {
    // Plain text.
  }
  return message;
}

function under(names: readonly string[], value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return names
    .flatMap((name) => stringsOf((value as Record<string, unknown>)[name]))
    .concat(Object.entries(value).flatMap(([name, inner]) => (names.includes(name) ? [] : under(names, inner))));
}

const stringsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value.length > 8
      ? [value]
      : []
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsOf)
      : [];

const MAX_TITLE_WORDS = 7;
const MANY = 10;

/**
 * Writes like a model, and always the same for the same message: each property of the schema is filled, by its name, with sentences of the material.
 * A list has as many items as the number before its name in the message, as in `3 ideas`.
 */
export function writeJson(schema: JsonSchema, message: string): unknown {
  const material = materialOf(message);
  const sentences =
    material
      .match(/[^.!?。！？\n]+[.!?。！？]?/g)
      ?.map((one) => one.trim())
      .filter((one) => one !== '') ?? [];
  const words = [...new Set(material.match(/\p{L}{5,}/gu) ?? ['today'])];
  // Two requests about the same source must differ if they contain a different number.
  let at = Number(/number (\d+)/.exec(message)?.[1] ?? 1) - 1;
  const next = () => sentences[at++ % Math.max(1, sentences.length)] ?? 'Something new is here.';
  const title = () =>
    next()
      .split(/\s+/)
      .slice(0, MAX_TITLE_WORDS)
      .join(' ')
      .replace(/[.,;:!?]+$/, '');
  const word = () => words[at++ % words.length] ?? 'today';

  const writers: Readonly<Record<string, () => string>> = {
    caption: () => [next(), next()].join(' '),
    body: next,
    summary: () => [next(), next()].join(' '),
    label: word,
    cta: () => 'Find out more',
    image_keyword: word,
    hashtags: word,
  };

  function fill(of: JsonSchema, name: string): unknown {
    if (of.enum) return of.enum[0];
    switch (of.type) {
      case 'object':
        return Object.fromEntries(Object.entries(of.properties ?? {}).map(([property, inner]) => [property, fill(inner, property)]));
      case 'array':
        return Array.from({ length: countOf(name, message, of) }, () => fill(of.items ?? {}, name));
      case 'integer':
      case 'number':
        return at % 3;
      case 'boolean':
        return true;
      default:
        return (writers[name] ?? title)();
    }
  }
  return fill(schema, '');
}

function countOf(name: string, message: string, { items }: JsonSchema): number {
  const said = new RegExp(`(\\d+) ${name}\\b`, 'i').exec(message)?.[1];
  return said === undefined ? (items?.type === 'object' ? 1 : 3) : Math.min(MANY, Number(said));
}
