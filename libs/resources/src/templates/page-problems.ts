import { isPattern, type Box, type Page } from './layers.ts';
import { ASPECT_RATIOS, LEAST_TEXT_BOX, MOST_LAYERS, type AspectRatio } from './terms.ts';

interface Problem {
  readonly path: readonly (string | number)[];
  /** The end of a sentence that begins with the path. */
  readonly message: string;
}

/** What a page must meet beyond the types of its fields: ids, boxes, and the number of layers. */
export function problemsOf(given: Page): Problem[] {
  const { layers, boxes: placed } = given;
  const problems: Problem[] = [];
  const ids = new Set<string>();
  const counts = new Map<string, number>();
  for (const [index, one] of layers.entries()) {
    if (ids.has(one.id)) problems.push({ path: ['layers', index, 'id'], message: `is the id of another layer too: "${one.id}"` });
    ids.add(one.id);
    if (!placed.default[one.id]) problems.push({ path: ['boxes', 'default'], message: `has no box for the layer "${one.id}"` });
    const kind = one.kind === 'shape' ? (isPattern(one.shape) ? 'pattern' : undefined) : one.kind;
    if (!kind) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = kind === 'pattern' ? 'layers of dots and stripes' : `${kind} layers`;
    if (count === MOST_LAYERS[kind] + 1)
      problems.push({ path: ['layers', index], message: `is one too many: a page can have ${MOST_LAYERS[kind]} ${name}` });
  }
  for (const [ratio, some] of Object.entries(placed))
    for (const name of Object.keys(some ?? {}))
      if (!ids.has(name)) problems.push({ path: ['boxes', ratio, name], message: 'is the box of a layer that does not exist' });
  const found = new Set<string>();
  return [
    ...problems,
    ...ASPECT_RATIOS.flatMap((ratio) => textBoxProblems(given, ratio)).filter(({ path, message }) => {
      const key = [...path, message].join(' ');
      return !found.has(key) && found.add(key);
    }),
  ];
}

/** Percentages are often thirds, rounded. */
const ROUNDING = 0.05;

function textBoxProblems({ layers, boxes: given }: Page, ratio: AspectRatio): Problem[] {
  const placed = layers
    .filter(({ kind }) => kind === 'text' || kind === 'logo')
    .flatMap(({ id: name }) => {
      const own = given[ratio]?.[name];
      const used = own ?? given.default[name];
      return used ? [{ name, used, path: ['boxes', own ? ratio : 'default', name] }] : [];
    });
  return placed.flatMap(({ name, used, path }, index) => {
    const [left, top, width, height] = used;
    if (Math.min(left, top) < -ROUNDING || Math.max(left + width, top + height) > 100 + ROUNDING)
      return [{ path, message: `is not inside the page, but layer "${name}" has texts` }];
    if (width < LEAST_TEXT_BOX[0] || height < LEAST_TEXT_BOX[1])
      return [
        {
          path,
          message: `is too small for texts: it must be at least ${LEAST_TEXT_BOX[0]} percent of the page wide and ${LEAST_TEXT_BOX[1]} percent high`,
        },
      ];
    const other = placed.slice(0, index).find(({ used: box }) => overlaps(used, box));
    return other ? [{ path, message: `overlaps the box of "${other.name}" in ${ratio}, and both have texts` }] : [];
  });
}

const overlaps = ([x, y, width, height]: Box, [left, top, across, down]: Box): boolean =>
  x + ROUNDING < left + across && left + ROUNDING < x + width && y + ROUNDING < top + down && top + ROUNDING < y + height;
