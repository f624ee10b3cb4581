import { fingerprint } from './fingerprint.ts';

const of = (json: string, method = 'POST', path = '/api/posts') => fingerprint(method, path, JSON.parse(json));

test.each([
  ['the order of members', '{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3, "c":2}, "a": 1 }'],
  ['how a number is written', '{"a":1}', '{"a":1.0}'],
  ['an exponent', '{"a":100}', '{"a":1e2}'],
  ['escapes', '{"a":"é"}', '{"\\u0061":"\\u00e9"}'],
])('%s makes no difference', (_what, one, other) => {
  expect(of(one)).toBe(of(other));
});

test.each([
  ['a value', '{"a":1}', '{"a":2}'],
  ['a type', '{"a":1}', '{"a":"1"}'],
  ['null and absent', '{"a":null}', '{}'],
  ['the order of a list', '[1,2]', '[2,1]'],
  ['a member called __proto__', '{"metadata":{"__proto__":"x"}}', '{"metadata":{"__proto__":"y"}}'],
  ['such a member and none', '{"metadata":{"__proto__":"x"}}', '{"metadata":{}}'],
  ['where one text ends and the next begins', '{"a":"b\\",\\"c\\":\\"d"}', '{"a":"b","c":"d"}'],
  ['an empty name', '{"":1}', '{}'],
])('%s does', (_what, one, other) => {
  expect(of(one)).not.toBe(of(other));
});

test('the method and the path do', () => {
  expect(new Set([of('{}'), of('{}', 'PUT'), of('{}', 'POST', '/api/other')]).size).toBe(3);
});

test('nesting without end is survived', () => {
  expect(of('['.repeat(400_000) + ']'.repeat(400_000))).toMatch(/^[0-9a-f]{64}$/);
});
