import { FAULTS, type Outcome } from './interrupt.ts';

/** The outcomes by platform, step and fault: `success ×3, unknown_outcome ×1`. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = Map.groupBy(outcomes, ({ scene, place }) =>
    [place?.platform ?? scene.split(' ')[0], place ? `${place.step}${place.isCommit ? ' (commit)' : ''}` : '(met another one)'].join('\t'),
  );
  const lines = [...rows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([row, all]) => {
      const cells = FAULTS.flatMap((fault) => {
        const counts = Map.groupBy(
          all.filter((one) => one.fault === fault),
          ({ result, wrong }) => (wrong.length > 0 ? `WRONG ${result}` : result),
        );
        const cell = [...counts].map(([result, { length }]) => `${result} ×${length}`).join(', ');
        return cell === '' ? [] : [`    ${fault.padEnd(50)} ${cell}`];
      });
      return [`  ${row.replace('\t', '  ')}`, ...cells];
    });
  return lines.join('\n');
}
