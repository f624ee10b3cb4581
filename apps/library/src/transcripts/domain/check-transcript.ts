import { DomainError } from '@fanfare/errors';

/** In UTF-16 units: several hours of speech. Each post is sent with the transcripts of all its media, up to a hundred. */
export const MAX_TRANSCRIPT_CHARS = 100_000;

/** https://www.w3.org/TR/webvtt1/#file-structure */
const VTT_TIMING = /^((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})[ \t]+-->[ \t]+((?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3})(?:[ \t].*)?$/;
const VTT_BLOCK = /^(?:NOTE|STYLE|REGION)(?:[ \t].*)?$/;
/** SubRip has no specification. Most programs write a comma, some a dot. */
const SRT_TIMING = /^(\d{1,3}:[0-5]\d:[0-5]\d[,.]\d{1,3})[ \t]*-->[ \t]*(\d{1,3}:[0-5]\d:[0-5]\d[,.]\d{1,3})(?:[ \t].*)?$/;

/**
 * Validates a transcript: plain text, WebVTT or SRT. Text that starts like WebVTT or SRT must be valid, because platforms reject captions with an
 * invalid cue, and would do so only when the post is sent.
 * @throws DomainError invalid_value with the line
 */
export function checkTranscript(transcript: string): void {
  if (transcript.length > MAX_TRANSCRIPT_CHARS) throw rejection(`The transcript is longer than ${MAX_TRANSCRIPT_CHARS} characters.`);
  const lines = transcript.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')) return checkVtt(lines);
  if (looksLikeSrt(lines)) checkSrt(lines);
}

function checkVtt(lines: readonly string[]): void {
  const [header, ...blocks] = blocksOf(lines);
  if (header && header.lines.some((line) => line.includes('-->'))) {
    throw rejection('The transcript starts like WebVTT, but no blank line follows its header.');
  }
  for (const block of blocks) {
    const [first = '', second = ''] = block.lines;
    if (VTT_BLOCK.test(first) && !second.includes('-->')) continue;
    // The timing may follow an identifier.
    const [timing, line] = first.includes('-->') ? [first, block.at] : [second, block.at + 1];
    const times = VTT_TIMING.exec(timing);
    if (!times) throw brokenCue('WebVTT', block.at);
    checkOrder(times, line);
  }
}

const looksLikeSrt = (lines: readonly string[]) => {
  const [first, second] = lines.filter((line) => line.trim() !== '');
  return /^\d+\s*$/.test(first ?? '') && (second ?? '').includes('-->');
};

function checkSrt(lines: readonly string[]): void {
  for (const { lines: block, at } of blocksOf(lines)) {
    const times = SRT_TIMING.exec(block[1] ?? '');
    if (!/^\d+\s*$/.test(block[0] ?? '') || !times) throw brokenCue('SRT', at);
    checkOrder(times, at + 1);
  }
}

/** Permits cues of zero length: speech recognition creates them, and players ignore them. */
function checkOrder([, start = '', end = '']: readonly string[], line: number): void {
  if (secondsOf(end) < secondsOf(start)) throw rejection(`The cue in line ${line} of the transcript ends before it starts.`);
}

/** Parses `[hours:]minutes:seconds`, with a dot or a comma before the fraction. */
const secondsOf = (time: string) =>
  time
    .replace(',', '.')
    .split(':')
    .reduce((seconds, part) => seconds * 60 + Number(part), 0);

interface Block {
  readonly lines: string[];
  /** The number of its first line, starting at 1. */
  readonly at: number;
}

/** Splits lines at blank lines. */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') open = undefined;
    else if (open) open.lines.push(line);
    else blocks.push((open = { lines: [line], at: index + 1 }));
  }
  return blocks;
}

const brokenCue = (format: string, line: number) =>
  rejection(`The transcript starts like ${format}, but line ${line} does not start a cue with a start and an end time.`);

const rejection = (detail: string) => new DomainError('invalid_value', detail, { param: 'transcript' });
