import { exampleAnswer } from '../../http/openapi/example-answer.ts';
import { routes } from '../routes.ts';

const withBody = routes.filter(({ body, multipart }) => body && !multipart);
const withAnswer = routes.filter(({ returns }) => !returns.safeParse(undefined).success);

const named = (list: typeof routes) => list.map((route) => [route.operationId, route] as const);

describe('the examples of the description', () => {
  it.each(named(withBody))('show a body of %s, and it is one that the operation takes', (_id, { body, examples }) => {
    expect(examples?.body).toBeDefined();
    expect(body?.safeParse(examples?.body).error).toBeUndefined();
  });

  it.each(named(withAnswer))('show an answer of %s, with all of its members and no others', (_id, route) => {
    const answer = exampleAnswer(route);
    expect(answer).toBeDefined();
    expect(route.returns.parse(answer)).toEqual(answer);
  });

  it.each(named(routes.filter(({ self }) => self)))('say the URL of %s', (_id, route) => {
    expect(exampleAnswer(route)).toMatchObject({ self: expect.not.stringContaining('unknown') });
  });
});
