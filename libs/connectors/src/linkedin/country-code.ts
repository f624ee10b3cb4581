const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Of countries that are no more, the successor is the one. */
const isCurrent = (code: string): boolean => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** English name → ISO 3166-1 alpha-2. */
const codes = new Map(
  [...LETTERS]
    .flatMap((first) => [...LETTERS].map((second) => first + second))
    .flatMap((code) => {
      const name = isCurrent(code) ? NAMES.of(code) : undefined;
      return name === undefined ? [] : [[name.toLowerCase(), code] as const];
    }),
);

/** The code of a country that LinkedIn names in English; the name if it is none. */
export const countryCode = (name: string): string => codes.get(name.toLowerCase()) ?? name;
