import { TextDecoder } from 'node:util';

const FALLBACK = 'utf-8';
/** A page must declare its encoding within these first bytes (HTML, 13.2.3.2). */
const PRESCAN_BYTES = 1_024;

/** Decodes a page by its byte order mark, the Content-Type header or its own declaration, in this order (WHATWG Encoding). */
export function decodeHtml(bytes: Uint8Array, contentType: string | undefined): string {
  return decoderFor(
    bomOf(bytes) ?? labelIn(contentType ?? '') ?? labelIn(Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1')),
  ).decode(bytes);
}

const BOMS = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
] as const;

const bomOf = (bytes: Uint8Array): string | undefined => BOMS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];

/** Matches `text/html; charset=shift_jis` and `<meta charset="shift_jis">`. */
const labelIn = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w-]+)/i.exec(text)?.[1];

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? FALLBACK);
  } catch {
    return new TextDecoder(FALLBACK);
  }
}
