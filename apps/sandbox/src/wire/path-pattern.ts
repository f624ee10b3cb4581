/**
 * `/{v}/{page_id}/feed` → names of the parts, or null. `{v}` is a Graph version segment that may be absent; every other part is one segment.
 */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const found = compiled(pattern).exec(path.length > 1 ? path.replace(/\/$/, '') : path);
  if (!found) return null;
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(found.groups ?? {})) {
    if (value === undefined) continue;
    const decoded = decode(value);
    if (decoded === null) return null;
    params[name] = decoded;
  }
  return params;
}

const cache = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let regexp = cache.get(pattern);
  if (!regexp) {
    const source = pattern
      .split(/(\/?\{\w+\})/)
      .map((part) => {
        if (part === '/{v}') return '(?:/(?<v>v\\d+(?:\\.\\d+)?))?';
        const name = /^(\/?)\{(\w+)\}$/.exec(part);
        return name ? `${name[1]}(?<${name[2]}>[^/]+)` : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
      })
      .join('');
    regexp = new RegExp(`^${source}$`);
    cache.set(pattern, regexp);
  }
  return regexp;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
