import { toPublicJson } from './public-json.ts';

test('writes a message in the JSON of the API', () => {
  const organization = { id: '1', displayName: 'TEST', mode: 'ORGANIZATION_MODE_TEST', createdAt: new Date(0) };
  expect(toPublicJson({ organization, items: [{ status: 'INTEGRATION_STATUS_CONNECTED' }], lastError: undefined })).toEqual({
    organization: { id: '1', display_name: 'TEST', mode: 'test', created_at: '1970-01-01T00:00:00.000Z' },
    items: [{ status: 'connected' }],
  });
});

test('does not change texts of customers', () => {
  expect(toPublicJson({ name: 'MODE_TEST', mode: 'MODE' })).toEqual({ name: 'MODE_TEST', mode: 'MODE' });
});
