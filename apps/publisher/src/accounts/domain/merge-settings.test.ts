import type { DomainError } from '@fanfare/errors';
import { mergeSettings } from './merge-settings.ts';

const problemOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('It was accepted.');
};

test('a change sets the members that it names, removes members that are null, and keeps the rest', () => {
  expect(mergeSettings('instagram', { share_to_feed: true, collaborators: ['a'] }, { share_to_feed: null })).toEqual({
    collaborators: ['a'],
  });
  expect(mergeSettings('instagram', { collaborators: ['a'] }, { share_to_feed: false })).toEqual({
    collaborators: ['a'],
    share_to_feed: false,
  });
  expect(mergeSettings('x', {}, {})).toEqual({});
});

test('a board section is not kept when the board changes', () => {
  const settings = { board_id: '1', board_section_id: '11' };
  expect(mergeSettings('pinterest', settings, { board_id: '2' })).toEqual({ board_id: '2' });
  expect(mergeSettings('pinterest', settings, { board_id: null })).toEqual({});
});

test('every invalid member is named', () => {
  const problem = problemOf(() => mergeSettings('instagram', {}, { share_to_feed: 'yes', collaborators: ['ok', 7], board_id: '1' }));
  expect(problem.code).toBe('validation_failed');
  expect(problem.errors.map(({ param }) => param).sort()).toEqual([
    'settings.board_id',
    'settings.collaborators.1',
    'settings.share_to_feed',
  ]);
  expect(problem.param).toBe(problem.errors[0]?.param);
});

test.each(['__proto__', 'constructor'])('a member named %s is treated as unknown', (name) => {
  const change = JSON.parse(`{"${name}": {"polluted": true}}`) as Record<string, unknown>;
  expect(problemOf(() => mergeSettings('x', {}, change)).errors.map(({ param }) => param)).toEqual([`settings.${name}`]);
});
