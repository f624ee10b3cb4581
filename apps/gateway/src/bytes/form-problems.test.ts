import { formProblems } from './form-problems.ts';
import { mediaForm } from './upload-parts.ts';

test.each(['toString', '__proto__', 'constructor'])('a part with the name %s is unknown, at any position', (name) => {
  const problems = formProblems(mediaForm);
  expect(problems.file('file')).toBe(true);
  problems.field(name, 'x');
  problems.file(name);
  const errors = (() => {
    try {
      problems.check();
      return undefined;
    } catch (error) {
      return (error as { errors: { param: string; detail: string }[] }).errors;
    }
  })();
  expect(errors).toEqual([
    { param: name, code: 'validation_failed', detail: `Unknown field "${name}".` },
    { param: name, code: 'validation_failed', detail: `${name} is sent twice.` },
  ]);
});
