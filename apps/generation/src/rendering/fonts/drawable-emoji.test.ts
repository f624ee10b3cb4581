import { createCanvas } from '@napi-rs/canvas';
import { drawableEmoji } from './drawable-emoji.ts';
import { registerEmoji } from './font-stack.ts';

const context = createCanvas(10, 10).getContext('2d');

test.each([
  ['Pride 🏳️‍🌈 week', 'Pride 🌈 week'],
  ['🏳️‍⚧️ 🏴‍☠️', '⚧️ ☠️'],
  ['🧔‍♂️ 🧔🏻‍♂️ 🐻‍❄️ ❤️‍🔥', '🧔 🧔🏻 🐻 ❤️'],
  ['👩🏽‍🍳 👨‍👩‍👧‍👦 👍🏽 🇵🇹 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️', '👩🏽‍🍳 👨‍👩‍👧‍👦 👍🏽 🇵🇹 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️'],
  ['Step 1️⃣ of 3️⃣', 'Step 1 of 3'],
  ['क्‍ष and می‌خواهم', 'क्‍ष and می‌خواهم'],
])('%s is drawn as %s', (text, drawn) => {
  expect(drawableEmoji(context, text)).toBe(drawn);
});

test('no joined emoji is drawn as two', () => {
  context.font = `100px "${registerEmoji()}"`;
  const people = ['🧔', '🤷🏽', '🕵️', '⛹🏻', '🏃🏽', '👩🏿', '🧑', '🏳️', '🏴', '🐦', '🐻', '❤️', '👁️', '🐈'];
  const joined = ['♂️', '♀️', '🌈', '☠️', '🔥', '❄️', '⚕️', '🗨️', '⬛', '🦰', '🤝‍🧑🏻', '🍳'];
  for (const one of people.flatMap((person) => joined.map((other) => `${person}\u200d${other}`)))
    expect({ one, width: context.measureText(drawableEmoji(context, one)).width }).toEqual({ one, width: 100 });
});
