import { optionsOver } from './options-over.ts';

test('a section of a board is not inherited for another board', () => {
  const settings = { board_id: '1', board_section_id: '11' };
  expect(optionsOver(settings, {})).toEqual(settings);
  expect(optionsOver(settings, { board_id: '1' })).toEqual(settings);
  expect(optionsOver(settings, { board_id: '2' })).toEqual({ board_id: '2' });
  expect(optionsOver(settings, { board_id: '2', board_section_id: '21' })).toEqual({ board_id: '2', board_section_id: '21' });
});
