import { PostSnapshot } from '@fanfare/contracts/content/events';
import { contentFor } from './content-for.ts';

const commented = (firstComment: string) =>
  contentFor('linkedin', PostSnapshot.fromPartial({ caption: 'Bread', platformOverrides: [{ platform: 'linkedin', firstComment }] }));

test('a first comment goes as it was written', () => {
  expect(commented(' First!\n')).toMatchObject({ first_comment: ' First!\n' });
});

test.each(['', ' ', '\n\t'])('%j is no comment: no platform takes one without a word', (firstComment) => {
  expect(commented(firstComment)).not.toHaveProperty('first_comment');
});
