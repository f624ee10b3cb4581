/** Where two JSON values differ, as lines that a person can read: `~ paths./api/health.get.summary: "Health" → "Get the health"`. */
export function differences(before: unknown, after: unknown, at = ''): string[] {
  if (Object.is(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [`~ ${at}: ${shown(before)} → ${shown(after)}`];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const path = at === '' ? key : `${at}.${key}`;
    if (!Object.hasOwn(after, key)) return [`- ${path}`];
    if (!Object.hasOwn(before, key)) return [`+ ${path}`];
    return differences(before[key], after[key], path);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
