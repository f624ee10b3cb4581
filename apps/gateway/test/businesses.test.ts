import { AT } from './fake-services.ts';
import { startGateway, type RunningGateway } from './running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const lastRequest = (method: string) => gateway.services.calls.findLast((call) => call.method === method)?.request;

describe('businesses and integrations', () => {
  it('lists businesses, 100 to a page, by name', async () => {
    const answer = await gateway.call('/api/businesses?name=100%25_%5E');
    expect(await answer.json()).toEqual({ items: [], next: null });
    expect(lastRequest('listBusinesses')).toEqual({ name: '100%_^', pageSize: 100, pageToken: '' });
    const { items } = (await (await gateway.call('/api/businesses')).json()) as { items: object[] };
    expect(items).toEqual([
      {
        id: gateway.businessId,
        created_at: AT.toISOString(),
        name: 'Bakery',
        description: '',
        industry: '',
        website: '',
        language: 'en',
        updated_at: AT.toISOString(),
      },
    ]);
  });

  it('lists connected accounts', async () => {
    const answer = await gateway.call(`/api/businesses/${gateway.businessId.toUpperCase()}/integrations`);
    expect(await answer.json()).toEqual({
      items: [
        {
          id: expect.any(String),
          business_id: gateway.businessId,
          platform: 'facebook',
          account_id: '1234',
          username: null,
          display_name: 'Bakery',
          page: 'The Bakery',
          picture_url: null,
          status: 'connected',
          scopes: ['pages_manage_posts'],
          token_expires_at: null,
          last_error: null,
          created_at: AT.toISOString(),
          updated_at: AT.toISOString(),
        },
      ],
      next: null,
    });
  });
});
