import type { Business, ContentServiceService } from '@fanfare/contracts/content';
import type { Category, Topic } from '@fanfare/contracts/content/topics';
import { notFound } from '@fanfare/errors';
import type { Call, Handlers } from '@fanfare/rpc';
import { pageOf, tokenAfter } from '../pages.ts';
import { AT } from '../values.ts';
import type { Note } from '../note.ts';

type Fakes = Pick<
  Handlers<typeof ContentServiceService>,
  'updateBusiness' | `${'create' | 'get' | 'update' | 'delete'}${'Topic' | 'Category'}` | 'listTopics' | 'listCategories'
>;

/** Content's topics, categories and updates of businesses without its rules, which are tested with the real one. */
export function fakeTopics(businesses: ReadonlyMap<string, Business>, note: Note): Fakes {
  const topics = new Map<string, Topic>();
  const categories = new Map<string, Category>();
  const ofBusiness = <T extends { businessId: string }>(all: Map<string, T>, { metadata }: Call) =>
    [...all.values()].filter(({ businessId }) => businessId === metadata.businessId);
  const found = <T>(one: T | undefined, what: string): T => {
    if (!one) throw notFound(what);
    return one;
  };

  return {
    async updateBusiness(request, call) {
      note('updateBusiness', request, call);
      const business = found(businesses.get(request.businessId), 'business');
      return { business: { ...business, name: request.name ?? business.name, revision: business.revision + 1 } };
    },
    async createTopic(request, call) {
      note('createTopic', request, call);
      const { topicId: id, title, body, enabled = true, categoryId } = request;
      const times = { createdAt: AT, updatedAt: AT, revision: 1 };
      const topic = { id, businessId: call.metadata.businessId, ...times, title, body, enabled, categoryId };
      topics.set(id, topic);
      return { topic };
    },
    async getTopic(request, call) {
      note('getTopic', request, call);
      return { topic: found(topics.get(request.topicId), 'topic') };
    },
    async listTopics(request, call) {
      note('listTopics', request, call);
      return { topics: pageOf(ofBusiness(topics, call), request), nextPageToken: tokenAfter(request) };
    },
    async updateTopic(request, call) {
      note('updateTopic', request, call);
      const topic = found(topics.get(request.topicId), 'topic');
      return { topic: { ...topic, title: request.title ?? topic.title, revision: topic.revision + 1 } };
    },
    async deleteTopic(request, call) {
      note('deleteTopic', request, call);
      found(topics.get(request.topicId), 'topic');
      return {};
    },
    async createCategory(request, call) {
      note('createCategory', request, call);
      const { categoryId: id, name } = request;
      const category = { id, businessId: call.metadata.businessId, createdAt: AT, updatedAt: AT, revision: 1, name };
      categories.set(id, category);
      return { category };
    },
    async getCategory(request, call) {
      note('getCategory', request, call);
      return { category: found(categories.get(request.categoryId), 'category') };
    },
    async listCategories(request, call) {
      note('listCategories', request, call);
      return { categories: ofBusiness(categories, call), nextPageToken: '' };
    },
    async updateCategory(request, call) {
      note('updateCategory', request, call);
      const category = found(categories.get(request.categoryId), 'category');
      return { category: { ...category, name: request.name ?? category.name, revision: category.revision + 1 } };
    },
    async deleteCategory(request, call) {
      note('deleteCategory', request, call);
      found(categories.get(request.categoryId), 'category');
      return {};
    },
  };
}
