import { createCanvas } from '@napi-rs/canvas';
import { contrastOn, mostReadable, readBackdrop } from './contrast.ts';

/** A background of two halves. */
function backdropOf(left: string, right: string) {
  const context = createCanvas(100, 100).getContext('2d');
  context.fillStyle = left;
  context.fillRect(0, 0, 50, 100);
  context.fillStyle = right;
  context.fillRect(50, 0, 50, 100);
  return readBackdrop(context, { x: 0, y: 0, width: 100, height: 100 });
}

test.each([
  ['#ffffff', '#000000', '#767676', 4.54],
  ['#ffffff', '#000000', '#cccccc', 1.61],
  ['#000000', '#ffffff', '#333333', 1.66],
  ['#777777', '#000000', '#ffffff', 1],
])('%s on %s and %s has the contrast of the half on which it is less legible', (colour, left, right, expected) => {
  expect(contrastOn(colour, backdropOf(left, right))).toBeCloseTo(expected, 1);
});

test('a preferred color that is illegible on a part of its background gives way to another', () => {
  expect(mostReadable(['#ffffff', '#000000'], backdropOf('#111111', '#333333')).colour).toBe('#ffffff');
  expect(mostReadable(['#ffffff', '#000000'], backdropOf('#888888', '#eeeeee')).colour).toBe('#000000');
});
