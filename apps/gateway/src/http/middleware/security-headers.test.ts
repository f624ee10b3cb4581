import { securityHeaders } from './security-headers.ts';

test('HTTPS is required where clients use it', () => {
  expect(securityHeaders({ baseUrl: 'https://api.example.com' })).toContainEqual(['Strict-Transport-Security', 'max-age=31536000']);
  expect(securityHeaders({ baseUrl: 'http://127.0.0.1:4400' })).toEqual([['X-Content-Type-Options', 'nosniff']]);
});
