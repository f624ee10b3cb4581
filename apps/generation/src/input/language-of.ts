const UNKNOWN = 'und';
const LEAST_LETTERS = 10;
const ENOUGH_CHARACTERS = 4_000;
/** A hint counts where the text may well be in that language. */
const LIKELY = 4;

/**
 * The language of a text, as BCP 47; `und` when it cannot be told. Loaded when it is first needed: it has data of many languages.
 * @param hint what somebody says that it is
 */
export async function languageOf(text: string, hint?: string): Promise<string> {
  const { francAll } = await import('franc');
  const said = hint === undefined ? undefined : canonical(hint);
  const likely = francAll(text.slice(0, ENOUGH_CHARACTERS), { minLength: LEAST_LETTERS })
    .slice(0, LIKELY)
    .map(([code]) => canonical(code) ?? UNKNOWN);
  const [best = UNKNOWN] = likely;
  if (said !== undefined && (best === UNKNOWN || likely.some((one) => primaryOf(one) === primaryOf(said)))) return said;
  return best;
}

export const primaryOf = (language: string): string => language.split('-')[0] ?? language;

/** ISO 639-3 codes become the short ones, where there are some. */
function canonical(code: string): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(code.trim().replaceAll('_', '-'));
    return tag === UNKNOWN ? undefined : tag;
  } catch {
    return undefined;
  }
}
