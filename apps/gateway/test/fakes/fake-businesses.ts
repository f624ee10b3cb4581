import type { Business, ContentServiceService } from '@fanfare/contracts/content';
import { notFound } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';
import { pageAt } from '../pages.ts';
import { aBusiness } from '../values.ts';

type Fakes = Pick<Handlers<typeof ContentServiceService>, 'createBusiness' | 'getBusiness' | 'listBusinesses'>;

export const fakeBusinesses = (businesses: Map<string, Business>, note: Note): Fakes => ({
  async createBusiness(request, call) {
    note('createBusiness', request, call);
    const { businessId: id, name, profile, ...more } = request;
    const business = aBusiness({
      ...more,
      id,
      name,
      organizationId: call.metadata.organizationId,
      timezone: profile?.timezone ?? 'UTC',
      linkTracking: profile?.linkTracking,
      misfirePolicy: profile?.misfirePolicy ?? 'MISFIRE_POLICY_PUBLISH_LATE',
      misfireLimitMinutes: profile?.misfireLimitMinutes ?? 1440,
    });
    businesses.set(id, business);
    return { business };
  },
  async getBusiness(request, call) {
    note('getBusiness', request, call);
    const business = businesses.get(request.businessId);
    if (!business) throw notFound('business');
    return { business };
  },
  async listBusinesses(request, call) {
    note('listBusinesses', request, call);
    const own = [...businesses.values()].filter(
      ({ organizationId, name }) => request.organizationIds.includes(organizationId) && name.includes(request.name),
    );
    const { rows, nextPageToken } = pageAt(own, request);
    return { businesses: rows, nextPageToken };
  },
});
