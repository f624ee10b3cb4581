import { connectBusiness, pictureServer, scope } from './connect-google-business.ts';
import { runningSandbox, until, type RunningSandbox } from './running-sandbox.ts';

const accountsUrl = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts';
const mask = 'readMask=name,title,storeCode,websiteUri,metadata';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectBusiness>>;
let media: Awaited<ReturnType<typeof pictureServer>>;

beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  user = await connectBusiness(sandbox);
  media = await pictureServer();
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});

const event = {
  title: 'Open day',
  schedule: {
    startDate: { year: 2027, month: 3, day: 1 },
    startTime: { hours: 9, minutes: 0 },
    endDate: { year: 2027, month: 3, day: 1 },
    endTime: { hours: 17, minutes: 30 },
  },
};
const standard = { topicType: 'STANDARD', summary: 'Fresh coffee' };
const photo = (file: string) => ({ ...standard, media: [{ mediaFormat: 'PHOTO', sourceUrl: media.url(file) }] });
const reviewed = (name: string) =>
  until(
    () => user.get(`https://mybusiness.googleapis.com/v4/${name}`),
    ({ body }) => body.state !== 'PROCESSING',
  );

describe('signing in', () => {
  it('lists the account and its locations, a part at a time, with one that takes no posts', async () => {
    const second = await sandbox.control('/accounts', { platform: 'google_business', username: 'second_shop', name: 'Second Shop' });
    const owner = await connectBusiness(sandbox);
    const { body } = await owner.get(`${accountsUrl}?pageSize=20`);
    expect(body.accounts).toEqual([expect.objectContaining({ name: expect.stringMatching(/^accounts\/\d+$/), type: 'PERSONAL' })]);
    const url = `https://mybusinessbusinessinformation.googleapis.com/v1/${body.accounts[0].name}/locations?${mask}&pageSize=2`;
    const first = await owner.get(url);
    const rest = await owner.get(`${url}&pageToken=${first.body.nextPageToken}`);
    expect(rest.body).not.toHaveProperty('nextPageToken');
    const locations = [...first.body.locations, ...rest.body.locations];
    expect(locations.map((one) => [one.title, one.metadata.canOperateLocalPost])).toEqual([
      ['Fanfare Demo Café', true],
      ['Second Shop', true],
      ['Fanfare Demo Pier (not verified)', undefined],
    ]);
    expect(`${body.accounts[0].name}/${locations[1].name}`).toBe(second.body.id);
  });

  it('can be for one location alone', async () => {
    const [demo] = (await sandbox.control('/accounts?platform=google_business')).body.items;
    const one = await connectBusiness(sandbox, scope, demo.id);
    const posts = (id: string) => `https://mybusiness.googleapis.com/v4/${id}/localPosts`;
    expect((await one.get(posts(demo.id))).status).toBe(200);
    const { body: other } = await sandbox.control('/accounts', { platform: 'google_business', username: 'third_shop', name: 'Third' });
    expect(await one.get(posts(other.id))).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } });
    expect(await one.get(posts('accounts/1/locations/1'))).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } });
  });

  it('needs the scope, a token in time, and ends when the person takes it back', async () => {
    const nosy = await connectBusiness(sandbox, 'openid');
    expect(await nosy.get(accountsUrl)).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } });
    const brief = await connectBusiness(sandbox);
    sandbox.clock.aheadMs = 3600_000;
    const late = await brief.get(accountsUrl);
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { error: { status: 'UNAUTHENTICATED' } } });
    await sandbox.control(`/accounts/${encodeURIComponent(user.location)}/revoke`, {});
    expect((await user.get(accountsUrl)).status).toBe(401);
    user = await connectBusiness(sandbox);
  });
});

describe('publishing', () => {
  it('reviews a post before it shows it, and lists it from the start', async () => {
    const body = { ...standard, languageCode: 'de', callToAction: { actionType: 'BOOK', url: 'https://example.com/book' } };
    const made = await user.post(body);
    expect(made).toMatchObject({
      status: 200,
      body: { name: expect.stringContaining(`${user.location}/localPosts/`), state: 'PROCESSING' },
    });
    expect(made.body).not.toHaveProperty('searchUrl');
    const listed = await user.get(`${user.posts}?pageSize=20`);
    expect(listed.body.localPosts[0]).toMatchObject({ name: made.body.name, ...body, createTime: expect.stringMatching(/Z$/) });
    const live = await reviewed(made.body.name);
    expect(live.body).toMatchObject({ state: 'LIVE', searchUrl: expect.stringMatching(/^https:\/\/local\.google\.com\/place\?/) });
    expect((await sandbox.call(live.body.searchUrl)).text).toContain('Fresh coffee');
    expect((await sandbox.control('/posts?platform=google_business')).body.items.at(-1)).toMatchObject({
      kind: 'link',
      state: 'live',
      link: 'https://example.com/book',
    });
  });

  it('fetches the picture', async () => {
    const made = await user.post(photo('/good.jpg'));
    expect(made.body.media).toEqual([expect.objectContaining({ mediaFormat: 'PHOTO', googleUrl: expect.stringMatching(/^https:/) })]);
    expect((await sandbox.control('/posts?platform=google_business')).body.items.at(-1)).toMatchObject({
      kind: 'photo',
      media: [{ width: 400 }],
    });
  });

  it('takes events and offers; an offer has no button', async () => {
    expect((await user.post({ topicType: 'EVENT', summary: 'Come', event })).body).toMatchObject({ topicType: 'EVENT', event });
    expect((await user.post({ topicType: 'EVENT', event })).body).toMatchObject({ topicType: 'EVENT', event });
    const offer = { couponCode: 'TWO', redeemOnlineUrl: 'https://example.com/two' };
    const callToAction = { actionType: 'SHOP', url: 'https://example.com' };
    const made = await user.post({ topicType: 'OFFER', summary: 'Two for one', event, offer, callToAction });
    expect(made.body).toMatchObject({ topicType: 'OFFER', offer });
    expect(made.body).not.toHaveProperty('callToAction');
  });

  it('rejects a telephone number in the text, and shows that post to nobody', async () => {
    const made = await user.post({ ...standard, summary: 'Call +49 30 1234567 now' });
    const after = await reviewed(made.body.name);
    expect(after.body.state).toBe('REJECTED');
    expect((await sandbox.control('/posts?platform=google_business')).body.items.at(-1)).toMatchObject({ state: 'failed' });
  });

  it('takes its time when it is told to', async () => {
    const fault = { type: 'slow_processing', ms: 30_000 };
    await sandbox.control('/faults', { platform: 'google_business', call: 'google_business.create_post', fault });
    const { body } = await user.post({ ...standard, summary: 'Slow roast' });
    const get = () => user.get(`https://mybusiness.googleapis.com/v4/${body.name}`);
    expect((await get()).body.state).toBe('PROCESSING');
    sandbox.clock.aheadMs = 31_000;
    const live = await get();
    sandbox.clock.aheadMs = 0;
    expect(live.body.state).toBe('LIVE');
  });

  it('deletes a post once', async () => {
    const { body } = await user.post({ ...standard, summary: 'Short-lived' });
    const url = `https://mybusiness.googleapis.com/v4/${body.name}`;
    const remove = () => sandbox.call(url, { method: 'DELETE', headers: user.headers });
    expect(await remove()).toMatchObject({ status: 200, body: {} });
    expect((await remove()).status).toBe(404);
    expect((await user.get(url)).status).toBe(404);
  });
});

describe('strictness', () => {
  it.each([
    ['no topic', { summary: 'a' }, 'topic_type', 'Topic type is required'],
    ['an alert', { ...standard, topicType: 'ALERT' }, 'alert_type', 'no longer'],
    ['1,501 letters', { ...standard, summary: 'a'.repeat(1501) }, 'summary', '1500'],
    ['nothing to say', { topicType: 'STANDARD' }, 'summary', 'required'],
    ['an event without its time', { topicType: 'EVENT', event: { title: 'a' } }, 'event.schedule.start_date', 'required'],
    ['an event without a title', { topicType: 'EVENT', event: { ...event, title: '' } }, 'event.title', 'required'],
    ['a long title', { topicType: 'EVENT', event: { ...event, title: 'a'.repeat(59) } }, 'event.title', '58'],
    [
      'an event on no day',
      { topicType: 'EVENT', event: on({ startDate: { year: 2027, month: 2, day: 30 } }) },
      'event.schedule.start_date',
      'exist',
    ],
    ['an event that ends first', { topicType: 'EVENT', event: on({ endTime: { hours: 8, minutes: 0 } }) }, 'event.schedule', 'after'],
    ['an event in a standard post', { ...standard, event }, 'event', 'only'],
    ['an offer without an event', { topicType: 'OFFER', offer: {} }, 'event', 'required'],
    ['an offer without an offer', { topicType: 'OFFER', event }, 'offer', 'required'],
    [
      'a call with an address',
      { ...standard, callToAction: { actionType: 'CALL', url: 'https://example.com' } },
      'call_to_action.url',
      'CALL',
    ],
    ['a button that leads nowhere', { ...standard, callToAction: { actionType: 'SHOP' } }, 'call_to_action.url', 'required'],
    [
      'two pictures',
      {
        ...standard,
        media: [
          { mediaFormat: 'PHOTO', sourceUrl: 'https://a.example' },
          { mediaFormat: 'PHOTO', sourceUrl: 'https://b.example' },
        ],
      },
      'media',
      'at most one',
    ],
    ['a video', { ...standard, media: [{ mediaFormat: 'VIDEO', sourceUrl: 'https://a.example/a.mp4' }] }, 'media.media_format', 'photos'],
  ])('refuses a post with %s', async (_, body, field, message) => {
    const { status, body: refused } = await user.post(body);
    expect(status).toBe(400);
    expect(refused.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' });
    expect(refused.error.details[0]['@type']).toContain('mybusiness.v4.ValidationError');
    expect(refused.error.details[0].errorDetails).toContainEqual({ code: 2, field, message: expect.stringContaining(message) });
  });

  it.each([
    ['an unknown field', { ...standard, colour: 'red' }, 'Unknown name "colour"'],
    ['an unknown kind', { ...standard, topicType: 'STORY' }, 'topicType'],
    ['a text that is none', { ...standard, summary: 5 }, 'summary'],
  ])('cannot read a post with %s', async (_, body, message) => {
    expect(await user.post(body)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  });

  it.each([
    ['that is not there', '/missing.jpg', 'Fetching image failed.'],
    ['that is a page', '/page.html', 'Fetching image failed.'],
    ['that has moved', '/moved.jpg', 'Fetching image failed.'],
    ['of too few bytes', '/tiny.jpg', '10240'],
    ['of too few pixels', '/narrow.png', '250 px'],
    ['of another kind', '/good.webp', 'JPG or PNG'],
  ])('refuses a picture %s', async (_, file, message) => {
    const { status, body } = await user.post(photo(file));
    expect(status).toBe(400);
    expect(body.error.details[0].errorDetails[0].message).toContain(message);
  });

  it('wants a read mask, knows its parameters and pages', async () => {
    const locations = 'https://mybusinessbusinessinformation.googleapis.com/v1/' + user.location.replace(/\/locations.*/, '/locations');
    const refused = async (url: string) => (await user.get(url)).body.error.details[0].fieldViolations[0].field;
    expect(await refused(locations)).toBe('read_mask');
    expect(await refused(`${locations}?readMask=colour`)).toBe('read_mask');
    expect(await refused(`${locations}?${mask}&pageSize=101`)).toBe('page_size');
    expect(await refused(`${user.posts}?pageToken=nonsense`)).toBe('page_token');
    expect(await refused(`${user.posts}?limit=5`)).toBe('limit');
  });

  it('has nothing under a location without its account: the frontend returns a page', async () => {
    const response = await user.get('https://mybusiness.googleapis.com/v4/123/localPosts');
    expect(response.status).toBe(404);
    expect(response.text).toContain('was not found on this server');
  });

  it('counts the edits of a profile by the minute, and says when to come back', async () => {
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.1' });
    const busy = await connectBusiness(tight);
    expect((await busy.post(standard)).status).toBe(200);
    const limited = await busy.post({ ...standard, summary: 'again' });
    expect(limited).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } });
    expect(limited.body.error.details).toContainEqual(
      expect.objectContaining({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: expect.stringMatching(/^[\d.]+s$/) }),
    );
    await tight.stop();
  });
});

function on(schedule: object) {
  return { ...event, schedule: { ...event.schedule, ...schedule } };
}
