import { connectBusiness, imageServer, scope } from './connect-google-business.ts';
import { runningSandbox, until, type RunningSandbox } from '../running-sandbox.ts';

const accountsUrl = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts';
const mask = 'readMask=name,title,storeCode,websiteUri,metadata';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectBusiness>>;
let media: Awaited<ReturnType<typeof imageServer>>;

beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  user = await connectBusiness(sandbox);
  media = await imageServer();
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
  it('lists the account and its locations, page by page, with one that cannot have posts', async () => {
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

  it('can be limited to one location', async () => {
    const [demo] = (await sandbox.control('/accounts?platform=google_business')).body.items;
    const one = await connectBusiness(sandbox, scope, demo.id);
    const posts = (id: string) => `https://mybusiness.googleapis.com/v4/${id}/localPosts`;
    expect((await one.get(posts(demo.id))).status).toBe(200);
    const { body: other } = await sandbox.control('/accounts', { platform: 'google_business', username: 'third_shop', name: 'Third' });
    expect(await one.get(posts(other.id))).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } });
    expect(await one.get(posts('accounts/1/locations/1'))).toMatchObject({ status: 404, body: { error: { status: 'NOT_FOUND' } } });
  });

  it('requires the scope and a valid token, and ends when the person revokes the access', async () => {
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

  it('fetches the image', async () => {
    const made = await user.post(photo('/good.jpg'));
    expect(made.body.media).toEqual([expect.objectContaining({ mediaFormat: 'PHOTO', googleUrl: expect.stringMatching(/^https:/) })]);
    expect((await sandbox.control('/posts?platform=google_business')).body.items.at(-1)).toMatchObject({
      kind: 'photo',
      media: [{ width: 400 }],
    });
  });

  it('accepts events and offers; an offer has no button', async () => {
    expect((await user.post({ topicType: 'EVENT', summary: 'Come', event })).body).toMatchObject({ topicType: 'EVENT', event });
    expect((await user.post({ topicType: 'EVENT', event })).body).toMatchObject({ topicType: 'EVENT', event });
    const offer = { couponCode: 'TWO', redeemOnlineUrl: 'https://example.com/two' };
    const callToAction = { actionType: 'SHOP', url: 'https://example.com' };
    const made = await user.post({ topicType: 'OFFER', summary: 'Two for one', event, offer, callToAction });
    expect(made.body).toMatchObject({ topicType: 'OFFER', offer });
    expect(made.body).not.toHaveProperty('callToAction');
  });

  it('rejects a phone number in the text, and shows that post to nobody', async () => {
    const made = await user.post({ ...standard, summary: 'Call +49 30 1234567 now' });
    const after = await reviewed(made.body.name);
    expect(after.body.state).toBe('REJECTED');
    expect((await sandbox.control('/posts?platform=google_business')).body.items.at(-1)).toMatchObject({ state: 'failed' });
  });

  it('takes as long as configured', async () => {
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
    ['an empty text', { topicType: 'STANDARD' }, 'summary', 'required'],
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
      'two images',
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
  ])('rejects a post with %s', async (_, body, field, message) => {
    const { status, body: rejected } = await user.post(body);
    expect(status).toBe(400);
    expect(rejected.error).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' });
    expect(rejected.error.details[0]['@type']).toContain('mybusiness.v4.ValidationError');
    expect(rejected.error.details[0].errorDetails).toContainEqual({ code: 2, field, message: expect.stringContaining(message) });
  });

  it.each([
    ['an unknown field', { ...standard, colour: 'red' }, 'Unknown name "colour"'],
    ['an unknown kind', { ...standard, topicType: 'STORY' }, 'topicType'],
    ['a text that is not a string', { ...standard, summary: 5 }, 'summary'],
  ])('rejects the JSON of a post with %s', async (_, body, message) => {
    expect(await user.post(body)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } });
  });

  it.each([
    ['that does not exist', '/missing.jpg', 'Fetching image failed.'],
    ['that is a page', '/page.html', 'Fetching image failed.'],
    ['that was moved', '/moved.jpg', 'Fetching image failed.'],
    ['of too few bytes', '/tiny.jpg', '10240'],
    ['of too few pixels', '/narrow.png', '250 px'],
    ['of another type', '/good.webp', 'JPG or PNG'],
  ])('rejects an image %s', async (_, file, message) => {
    const { status, body } = await user.post(photo(file));
    expect(status).toBe(400);
    expect(body.error.details[0].errorDetails[0].message).toContain(message);
  });

  it('requires a read mask, checks its parameters, and has pages', async () => {
    const locations = 'https://mybusinessbusinessinformation.googleapis.com/v1/' + user.location.replace(/\/locations.*/, '/locations');
    const rejected = async (url: string) => (await user.get(url)).body.error.details[0].fieldViolations[0].field;
    expect(await rejected(locations)).toBe('read_mask');
    expect(await rejected(`${locations}?readMask=colour`)).toBe('read_mask');
    expect(await rejected(`${locations}?${mask}&pageSize=101`)).toBe('page_size');
    expect(await rejected(`${user.posts}?pageToken=nonsense`)).toBe('page_token');
    expect(await rejected(`${user.posts}?limit=5`)).toBe('limit');
  });

  it('has nothing under a location without its account: the frontend returns a page', async () => {
    const response = await user.get('https://mybusiness.googleapis.com/v4/123/localPosts');
    expect(response.status).toBe(404);
    expect(response.text).toContain('was not found on this server');
  });

  it('limits the edits of a profile per minute, and returns when to retry', async () => {
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
