import { readFile } from 'node:fs/promises';

/** The end of a log, each line cut to a readable length; empty if the file does not exist. */
export async function lastLines(file: string, count: number): Promise<string> {
  return end(await linesOf(file), count);
}

/** The last errors in a log of mongod or Kafka; its end if it contains none. */
export async function lastErrors(file: string, count: number): Promise<string> {
  const lines = await linesOf(file);
  const errors = lines.filter((line) => /"s":"[EF]"|\bERROR\b|Exception\b/.test(line));
  return end(errors.length > 0 ? errors : lines, count);
}

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n');
}

function end(lines: string[], count: number): string {
  return lines
    .slice(-count)
    .map((line) => `  ${line.slice(0, 400)}`)
    .join('\n');
}
