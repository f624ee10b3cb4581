import { readFile } from 'node:fs/promises';

/** The end of a log, each line cut to a readable length; empty when there is no such file. */
export async function lastLines(file: string, count: number): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join('\n');
}
