import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A stack of a built service with the locations in its sources. Node's own `--enable-source-maps` reads and keeps every map at the start (some 30 MB
 * in the gateway); here a map is read when the first error is logged. Locations in a bundle without a map are unchanged.
 * @param stack in V8's format
 */
export function withSourceLocations(stack: string): string {
  return stack.replace(/(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/g, (place: string, url: string, line: string, column: string) => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return place;
    const source = path.resolve(path.dirname(fileURLToPath(url)), entry.originalSource);
    return `${path.relative(process.cwd(), source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`));
  return maps.get(url);
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
}
