import type { Post } from '@fanfare/contracts/content';
import type { Queue } from '@fanfare/contracts/content/queues';
import fc from 'fast-check';
import { claimSlots } from '../../src/publishing/claim-slots.ts';
import { changingPosts } from '../posts/changing-posts.ts';
import { queueing } from './queueing.ts';
import { aBusiness, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
const on = {
  get content() {
    return content;
  },
  get call() {
    return call;
  },
};
const { aQueue, getQueue, put, postsOf, comes } = queueing(on);
const { unschedule, schedule, remove, update } = changingPosts(on);

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'put', 'put', 'unschedule', 'schedule', 'delete', 'publish', 'edit', 'slot', 'slot'),
  which: share,
  queue: fc.integer({ min: 0, max: 1 }),
  position: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

test('after any history, queues have exactly the posts of a simple model, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40 }), async (steps) => {
      call = aBusiness();
      await content.connect(call, ['x']);
      const queues = [await aQueue(), await aQueue()] as const;
      const model: [Post[], Post[]] = [[], []];
      const idle: Post[] = [];
      const sent: Post[] = [];
      const take = (post: Post) => {
        for (const list of [...model, idle]) {
          const index = list.findIndex(({ id }) => id === post.id);
          if (index >= 0) list.splice(index, 1);
        }
      };
      for (const { kind, which, queue, position } of steps) {
        const all = [...model[0], ...model[1], ...idle];
        const post = all[Math.floor(which * all.length)];
        const list = model[queue] ?? [];
        const target = queues[queue] as Queue;
        if (kind === 'create') list.push(await content.createPost(call, { queueId: target.id }));
        else if (kind === 'slot') {
          const at = await comes(target, new Date(Date.now() + 3600_000));
          await claimSlots(content.context, [{ _id: target.id, organization_id: '', business_id: '', next_slot_at: at }]);
          const head = list.shift();
          if (head) sent.push(head);
        } else if (!post) continue;
        else if (kind === 'put') {
          await put(post, { queueId: target.id, position });
          take(post);
          list.splice(position === undefined ? list.length : position - 1, 0, post);
        } else if (kind === 'publish') {
          await content.publishPost(call, post.id);
          take(post);
          sent.push(post);
        } else if (kind === 'delete') {
          await remove(post);
          take(post);
        } else if (kind === 'edit') await update(post, { updateMask: ['caption'], caption: 'Edited' });
        else if (kind === 'schedule' || model.flat().includes(post)) {
          await (kind === 'schedule' ? schedule(post) : unschedule(post));
          take(post);
          idle.push(post);
        }
      }
      for (const [index, queue] of queues.entries()) {
        const expected = (model[index] ?? []).map(({ id }) => id);
        const posts = await postsOf(queue, 7);
        expect(posts.map(({ id }) => id)).toEqual(expected);
        expect(posts.map((post) => post.queue?.position)).toEqual(expected.map((_, at) => at + 1));
        expect(await getQueue(queue)).toMatchObject({ postCount: expected.length });
      }
      for (const { id } of sent) expect((await content.getPost(call, id)).publishResults).toHaveLength(1);
      for (const { id } of idle) expect((await content.getPost(call, id)).queue).toBeUndefined();
    }),
    { numRuns: 4 },
  );
});
