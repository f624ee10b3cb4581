import { latenessOf, nextStep } from './next-step.ts';

const at = (hour: number) => new Date(hour * 3_600_000);
const LATENESS = { atStopsMs: 3_600_000, mostMs: 2 * 3_600_000 };
const step = (due: Parameters<typeof nextStep>[0]) => nextStep(due, at(10), at(20), LATENESS);

test.each([
  ['nothing is due', {}, at(20), true],
  ['a post is due', { stopAt: at(12) }, at(12), false],
  ['a post is due after the target', { stopAt: at(21) }, at(20), true],
  ['other work is due', { dueAt: at(12) }, at(14), true],
  ['other work is due just before the target', { dueAt: at(19.5) }, at(20), true],
  ['a post is due just after other work', { stopAt: at(12.5), dueAt: at(12) }, at(12.5), false],
  ['a post is due when other work is late', { stopAt: at(13), dueAt: at(12) }, at(13), true],
  ['a post was due before', { stopAt: at(9) }, at(10), false],
  ['other work was due long ago', { dueAt: at(1) }, at(10), true],
])('if %s', (_if, due, to, allWork) => expect(step(due)).toEqual({ to, allWork }));

test('other work takes at most 12 steps of its own, however far the clock is advanced', () => {
  for (const days of [0.01, 1, 730]) {
    const target = new Date(days * 86_400_000);
    const lateness = latenessOf(new Date(0), target);
    let from = new Date(0);
    let steps = 0;
    // Something is due all the time.
    for (; from < target; steps++) from = nextStep({ dueAt: from }, from, target, lateness).to;
    expect(steps).toBeLessThanOrEqual(12);
  }
});
