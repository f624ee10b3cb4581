import { withoutSecrets } from './without-secrets.ts';

test('masks what is named like a secret, and the query of URLs', () => {
  const data = {
    accessToken: 'abc',
    nested: [{ clientSecret: 'x', caption: 'See https://a.example/p?sig=1#2 and more' }],
    at: new Date(0),
  };
  expect(JSON.parse(withoutSecrets(data))).toEqual({
    accessToken: '***',
    nested: [{ clientSecret: '***', caption: 'See https://a.example/p?*** and more' }],
    at: '1970-01-01T00:00:00.000Z',
  });
});
